package bookshop;

import java.nio.file.Files;
import java.nio.file.Path;

/** The bookshop on one machine: sells, loses a database, sells, and has it back. */
public final class Main {
  private static final int SALES = 100;

  private Main() {}

  /** Runs it; the argument, if there is one, is a loopback prefix such as {@code 127.81.1}. */
  public static void main(String[] arguments) throws Exception {
    Path log = Files.createTempDirectory("bookshop-log");
    try (Databases databases = new Databases(arguments.length > 0 ? arguments[0] : "127.81.1");
        Bookshop shop = new Bookshop(databases.url(log))) {
      sell(shop, "first", "three databases");
      databases.kill(2);
      sell(shop, "second", "two databases, as one was killed");
      databases.startAgain(2);
      sell(shop, "third", "the third one on its way back");
      System.out.println("left: " + shop.pieces("Walden"));
    }
  }

  private static void sell(Bookshop shop, String wave, String state) {
    long start = System.nanoTime();
    for (int i = 0; i < SALES; i++) {
      shop.sell("Walden", wave + "-" + i);
    }
    System.out.printf(
        "%d sales with %s: %d ms%n", SALES, state, (System.nanoTime() - start) / 1_000_000);
  }
}
