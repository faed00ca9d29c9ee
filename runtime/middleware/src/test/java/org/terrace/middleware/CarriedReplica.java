package org.terrace.middleware;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;

/** A process that answers calls over the middleware named by its first argument. */
final class CarriedReplica {
  private CarriedReplica() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Middleware middleware = Middlewares.byName(arguments[0]);
    InetSocketAddress address = new InetSocketAddress(arguments[1], 0);
    try (Listener listener = middleware.listen(address, new CarriedCalls())) {
      Endpoint endpoint = listener.endpoint(arguments[2]);
      System.out.printf("ready %s %d %s%n", endpoint.host(), endpoint.port(), endpoint.key());
      new CountDownLatch(1).await();
    }
  }
}
