"""Eight visitors of the shop, who think 200 ms on average between pages, for 20 seconds."""

import http.client
import random
import threading
import time

END = time.monotonic() + 20


def visit(seed):
    choice = random.Random(seed)
    shop = http.client.HTTPConnection("10.77.0.2", 8080)
    while time.monotonic() < END:
        time.sleep(choice.expovariate(5))
        number = choice.randrange(1, 100)
        path = "/" if choice.random() < 0.1 else f"/product/{number}"
        shop.request("POST" if choice.random() < 0.1 and path != "/" else "GET", path)
        shop.getresponse().read()


visitors = [threading.Thread(target=visit, args=(seed,)) for seed in range(8)]
for visitor in visitors:
    visitor.start()
for visitor in visitors:
    visitor.join()
