"""The application of the shop: pages made of one or two statements, over a pool of connections."""

import http.server
import json

import psycopg2.pool

pool = psycopg2.pool.ThreadedConnectionPool(
    8, 16, "host=10.77.0.4 user=shop dbname=postgres sslmode=disable"
)


def rows(statement, values=()):
    connection = pool.getconn()
    try:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall()
    finally:
        pool.putconn(connection)


class Shop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # a head and its body leave in one packet

    def do_GET(self):
        if self.path == "/":
            found = rows("select id, name from product order by price limit 3")
        else:
            number = int(self.path.rsplit("/", 1)[1])
            found = rows("select name, price from product where id = %s", (number,))
            found += rows("select count(*) from purchase where product = %s", (number,))
        self.answer(found)

    def do_POST(self):
        number = int(self.path.rsplit("/", 1)[1])
        rows("select price from product where id = %s", (number,))
        self.answer(rows("insert into purchase (product) values (%s) returning id", (number,)))

    def answer(self, found):
        body = json.dumps(found).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *unused):
        pass


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("10.77.0.3", 8000), Shop)
    server.daemon_threads = True
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
