"""The configurations in the article on short links, each run in the server that it is for: the referrer that the command reads from the
address of the answer is the name of the short link. The servers are Debian's, unpacked and not installed."""

import http.client
import json
import os
import re
import socket
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from debian import unpack

ROOT = Path(__file__).resolve().parents[1]
ARTICLE = (ROOT / "Sources/ReferralBridge/Documentation.docc/ShortLinks.md").read_text()
TOOL = Path(os.environ["REFERRAL_TOOL"]).absolute()
PAGE = "https://example.com/get"
NAMES = ["anna", "Zoë & Co", "Jürgen Groß", "Ольга Ёлкина", "李小龍", "さくら。", "Ιωάννης", "a&b", "100%", "a+b", "a=b", "a%26b", "what?", "a/b",
         "x#y", "Acme Inc.", "-a_~b."]

# A server's packages, its command, and what is around the configuration of the article. Words in capital letters are replaced.
SERVERS = {
    "nginx": (["nginx"], ["FOLDER/usr/sbin/nginx", "-e", "stderr", "-c", "FILE"], """
        daemon off;
        master_process off;
        pid FOLDER/pid;
        events {}
        http {
            access_log off;
            client_body_temp_path FOLDER/body;
            proxy_temp_path FOLDER/proxy;
            fastcgi_temp_path FOLDER/fastcgi;
            uwsgi_temp_path FOLDER/uwsgi;
            scgi_temp_path FOLDER/scgi;
            server {
                listen 127.0.0.1:PORT;
                CONFIGURATION
            }
        }
        """),
    "apache": (["apache2-bin", "libapr1", "libaprutil1"], ["FOLDER/usr/sbin/apache2", "-D", "FOREGROUND", "-f", "FILE"], """
        Listen 127.0.0.1:PORT
        ServerName localhost
        ServerRoot FOLDER
        PidFile FOLDER/pid
        ErrorLog /dev/stderr
        LoadModule mpm_event_module usr/lib/apache2/modules/mod_mpm_event.so
        LoadModule authz_core_module usr/lib/apache2/modules/mod_authz_core.so
        LoadModule alias_module usr/lib/apache2/modules/mod_alias.so
        LoadModule rewrite_module usr/lib/apache2/modules/mod_rewrite.so
        CONFIGURATION
        """),
    "caddy": (["caddy"], ["FOLDER/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config", "FILE"], """
        {
            admin off
            auto_https off
        }
        http://127.0.0.1:PORT {
            CONFIGURATION
        }
        """),
    "lighttpd": (["lighttpd"], ["FOLDER/usr/sbin/lighttpd", "-D", "-m", "FOLDER/usr/lib/lighttpd", "-f", "FILE"], """
        server.document-root = "FOLDER"
        server.bind = "127.0.0.1"
        server.port = PORT
        CONFIGURATION
        """),
    "haproxy": (["haproxy", "liblua5.3-0", "libopentracing1", "libopentracing-c-wrapper0"], ["FOLDER/usr/sbin/haproxy", "-db", "-f", "FILE"], """
        defaults
            mode http
            timeout client 1m
            timeout server 1m
            timeout connect 1m
        frontend short
            bind 127.0.0.1:PORT
            CONFIGURATION
        """),
}

# Configurations of which the article warns, a short link, and the referrer that counts, or the answer's status.
WRONG = [
    ("nginx", "location ~ ^/p/(.+)$ { return 302 PAGE?via=$1; }", "/p/a%26b", "a"),
    ("apache", "RewriteEngine On\nRewriteRule ^/p/(.+)$ PAGE?via=$1 [R]", "/p/a%26b", "a"),
    ("apache", "RewriteEngine On\nRewriteRule ^/p/(.+)$ PAGE?via=$1 [R,NE]", "/p/a%26b", "a"),
    ("apache", "RewriteEngine On\nRewriteRule ^/p/(.+)$ PAGE?via=$1 [R,NE]", "/p/a%20b", "403"),
    ("apache", "RewriteEngine On\nRewriteRule ^/p/(.+)$ PAGE?via=$1 [R,B]", "/p/a%26b", "a%26b"),
    ("apache", "RewriteEngine On\nRewriteMap codes txt:FOLDER/codes\nRewriteRule ^/p/(.+)$ ${codes:$1} [R,NE]", "/p/anna", "403"),
    ("apache", "Redirect /p/anna PAGE?via=anna", "/p/anna/", "anna/"),
    ("caddy", "@short path_regexp name ^/p/(.+)$\nredir @short PAGE?via={re.name.1}", "/p/a%26b", "a"),
    ("caddy", "redir PAGE?via={query.via}", "/p?via=a%26b", "a"),
    ("lighttpd", 'server.modules += ("mod_redirect")\nurl.redirect = ("^/p/(.+)$" => "PAGE?via=${esc:1}")', "/p/a%26b", "a%26b"),
    ("haproxy", "http-request redirect location PAGE?via=%[path,url_dec,regsub(^/p/,)]", "/p/a%26b", "a"),
]


@pytest.fixture(scope="module", params=SERVERS)
def server(request, tmp_path_factory):
    """A server's name, and the folder into which it is unpacked."""
    folder = tmp_path_factory.mktemp("server")
    unpack(folder, *SERVERS[request.param][0])
    return request.param, folder


@contextmanager
def running(server, configuration):
    """Runs a server with a configuration, and answers its port."""
    name, folder = server
    _, command, frame = SERVERS[name]
    file, log = folder / "configuration", folder / "log"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def filled(text):
        for word, value in {"CONFIGURATION": configuration, "FOLDER": folder, "FILE": file, "PORT": port, "PAGE": PAGE}.items():
            text = text.replace(word, str(value))
        return text

    file.write_text(filled(frame) + "\n")
    (folder / "codes").write_text(filled("anna PAGE?via=anna\n"))
    environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(map(str, folder.glob("usr/lib/*-linux-gnu"))), "HOME": str(folder)}
    with log.open("wb") as output:
        process = subprocess.Popen([filled(part) for part in command], env=environment, stdout=output, stderr=output)
    try:
        while True:
            assert process.poll() is None, log.read_text()
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                continue
        yield port
    finally:
        process.terminate()
        process.wait(60)


def referrers(port, paths):
    """The referrers to which a server redirects, as the command reads them, or its statuses."""
    addresses, statuses = [], []
    for path in paths:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", path)
        answer = connection.getresponse()
        statuses.append(str(answer.status))
        addresses.append(answer.headers.get("Location", "").encode("latin-1"))
        connection.close()
    # The page reads the whole address. The end of one that was pasted is trimmed, but not before a fragment.
    judged = subprocess.run([TOOL, "decode", "--each", "--app-id", "1300230302", "--landing", PAGE, "--quiet"],
                            input=b"".join(address + b"#go\n" for address in addresses), capture_output=True)
    return [json.loads(line)["referrer"] or status for line, status in zip(judged.stdout.splitlines(), statuses, strict=True)]


def short_links(names):
    """The paths of short links, whose names are those of the addresses that the command writes."""
    rows = "".join(json.dumps({"referrer": name}) + "\n" for name in names)
    links = subprocess.run([TOOL, "links", "--landing", PAGE, "--from", "jsonl", "--to", "txt"],
                           input=rows, capture_output=True, text=True, check=True).stdout.splitlines()
    return [f"/p/{link.removeprefix(f'{PAGE}?via=')}" for link in links]


def article(server):
    [configuration] = re.findall(rf"^```{server}\n(.*?)^```$", ARTICLE, re.MULTILINE | re.DOTALL)
    return configuration


def test_the_configuration_of_the_article_keeps_each_name(server):
    paths = short_links(NAMES)
    with running(server, article(server[0])) as port:
        assert referrers(port, paths) == NAMES
        assert referrers(port, [f"{path}/" for path in paths]) == NAMES
        # As people type them, and as services that count add to them.
        assert referrers(port, ["/p/zo%c3%ab", "/p/a=b", "/p/anna?utm_source=mail"]) == ["zoë", "a=b", "anna"]
        assert referrers(port, ["/p/a&b"]) == ["a&b" if server[0] == "apache" else "a"]
        assert referrers(port, ["/p/"]) != [""]


def test_a_configuration_of_which_the_article_warns_loses_names(server):
    warnings = [rest for name, *rest in WRONG if name == server[0]]
    for configuration, path, result in warnings:
        with running(server, configuration) as port:
            assert referrers(port, [path]) == [result], configuration
    assert warnings
