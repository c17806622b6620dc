"""A web server that people visit: nginx from Debian, and a client that sends many requests."""

import re
import shutil
import socket
import subprocess
from pathlib import Path

from debian import unpack

LENGTH = re.compile(rb"\r\nContent-Length: (\d+)")
CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
    # The format "combined", with the simulated moment in the place of the present one.
    log_format simulated '$remote_addr - $remote_user [$http_x_time] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';
    access_log {folder}/access.log simulated buffer=1m;
    # As behind a load balancer.
    set_real_ip_from 127.0.0.1;
    real_ip_header X-Forwarded-For;
    keepalive_requests 1000000000;
    keepalive_timeout 1h;
    sendfile on;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        root {folder}/site;
        location = /get {{
            if ($http_x_down) {{ return 503; }}
            default_type text/html;
            alias {folder}/site/get.html;
        }}
        location = /count {{ return 204; }}
    }}
}}
"""


def program(folder):
    """nginx, unpacked here if it isn't installed, so that no server starts on this computer."""
    found = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if found:
        return found
    unpack(folder / "nginx", "nginx")
    return str(folder / "nginx/usr/sbin/nginx")


class Site:
    def __init__(self, folder, page):
        self.folder = Path(folder)
        (self.folder / "site").mkdir(parents=True)
        (self.folder / "site/get.html").write_text(page)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        configuration = self.folder / "nginx.conf"
        configuration.write_text(CONFIGURATION.format(folder=self.folder, port=self.port))
        command = [program(self.folder), "-p", self.folder, "-c", configuration, "-e", self.folder / "error.log"]
        subprocess.run([*command, "-t", "-q"], check=True)
        self._server = subprocess.Popen(command)
        self.connection = self._connect()

    def _connect(self):
        while True:
            assert self._server.poll() is None, (self.folder / "error.log").read_text()
            try:
                return socket.create_connection(("127.0.0.1", self.port))
            except ConnectionRefusedError:
                continue

    def close(self):
        """Ends the server, which writes the rest of its log."""
        self.connection.close()
        self._server.send_signal(3)
        self._server.wait(30)

    @property
    def log(self):
        return self.folder / "access.log"

    def send(self, requests, at_once=100):
        """Sends requests one after the other, and reads the answers."""
        for start in range(0, len(requests), at_once):
            part = requests[start:start + at_once]
            self.connection.sendall(b"".join(map(written, part)))
            answers, position = bytearray(), 0
            for _ in part:
                while (end := answers.find(b"\r\n\r\n", position)) < 0:
                    answers += self._received()
                length = LENGTH.search(answers, position, end)
                position = end + 4 + (int(length[1]) if length else 0)
                while len(answers) < position:
                    answers += self._received()

    def _received(self):
        received = self.connection.recv(1 << 20)
        assert received, "the server has gone"
        return received


def written(request):
    body = "Content-Length: 0\r\n" if request.method == "POST" else ""
    extra = f"{request.extra}\r\n" if request.extra else ""
    return (f"{request.method} {request.target} HTTP/1.1\r\nHost: example.com\r\nX-Time: {request.time:%d/%b/%Y:%H:%M:%S} +0000\r\n"
            f"X-Forwarded-For: {request.client}\r\nUser-Agent: {request.agent}\r\n{extra}{body}\r\n").encode()
