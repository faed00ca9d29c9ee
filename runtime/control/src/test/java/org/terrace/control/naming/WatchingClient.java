package org.terrace.control.naming;

import java.security.Security;
import java.util.concurrent.CountDownLatch;

/** A client of the naming service that prints the first replica of each reference of a service. */
final class WatchingClient {
  /** So many questions without an answer take longer than many attempts to connect. */
  private static final int QUESTIONS_IN_VAIN = 2;

  private WatchingClient() {}

  public static void main(String[] arguments) throws InterruptedException {
    Security.setProperty("networkaddress.cache.ttl", "0");
    Security.setProperty("networkaddress.cache.negative.ttl", "0");
    NamingClient client = NamingClient.open(arguments[0]);
    System.out.println("ready");
    for (int i = 0; i < QUESTIONS_IN_VAIN; i++) {
      if (client.resolve(arguments[1]).isPresent()) {
        throw new IllegalStateException("nobody can have answered");
      }
    }
    System.out.println("asked in vain");
    var watch =
        client.watch(
            arguments[1],
            reference -> System.out.println(reference.endpoints().getFirst().replica()));
    new CountDownLatch(1).await();
    watch.close();
  }
}
