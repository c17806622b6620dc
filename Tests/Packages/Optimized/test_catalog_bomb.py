"""A catalog that is small on its way, and a gigabyte once it is decompressed, costs no memory."""

import os
import subprocess
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, HTTPServer

MEGABYTES = 1_024


class Bomb(BaseHTTPRequestHandler):
    """A gzip file of spaces. The same block, again and again, decompresses to a megabyte each time."""

    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = compressor.compress(b" " * (1 << 20)) + compressor.flush(zlib.Z_FULL_FLUSH)

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        try:
            self.wfile.write(b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + self.block * MEGABYTES)
        except OSError:
            pass  # A client may leave before the end.
        self.close_connection = True


def test_gzip_bomb(shop_probe):
    server = HTTPServer(("127.0.0.1", 0), Bomb)
    thread = threading.Thread(target=server.handle_request)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}/catalog.json"
    process = subprocess.Popen([shop_probe, "load", address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "The answer has more than 1048576 bytes.\n"
    thread.join()
    server.server_close()
    # On Linux, Foundation decompresses what has arrived, also after the end of the download.
    time.sleep(3)
    process.stdin.close()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    peak = usage.ru_maxrss // 1_024
    print(f"{peak} MB for {MEGABYTES} MB")
    assert peak < MEGABYTES / 4
