package org.terrace.testing.tiers;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The requests of a service of four tiers, and what each does until it answers. */
final class TierPrograms {
  private static final int PAGES = 6;
  private static final int ITEMS = 400;

  /** The first number of those who own items, some of which are also those of items. */
  private static final int OWNERS = 350;

  private static final int ITEMS_AN_OWNER = 97;
  private static final int FIRST_NUMBER = 1_000;

  private final TrafficShape shape;
  private final RandomGenerator random;

  TierPrograms(TrafficShape shape, RandomGenerator random) {
    this.shape = shape;
    this.random = random;
  }

  /**
   * A request and all that it does.
   *
   * @param bytesIn its bytes
   * @param bytesOut the bytes of its answer
   * @param value the number that its bytes carry; 0 if they carry none
   */
  record Program(
      String server, String kind, List<Step> steps, int bytesIn, int bytesOut, long value) {}

  /**
   * Calls that are made at once after some work.
   *
   * @param waits whether what follows waits for their answers
   */
  record Step(double workMicros, List<Program> calls, boolean waits) {}

  /** A client's request: the web server asks the application once or twice. */
  Program page() {
    String page = shape.kinds() ? "GET /page" + random.nextInt(PAGES) : "GET";
    int item = random.nextInt(1 + random.nextInt(ITEMS));
    int calls = shape.single() ? 1 : 1 + random.nextInt(2);
    List<Step> steps = new ArrayList<>();
    int bytesOut = 180;
    int bytesIn = 320 + Integer.toString(item).length();
    for (int i = 0; i < calls; i++) {
      Program part = part(shape.kinds() ? page + "/part" + i : "GET", item, i, bytesIn);
      steps.add(step(part));
      bytesOut += part.bytesOut;
    }
    return new Program("web", page, steps, bytesIn, bytesOut, value(item));
  }

  private Program part(String kind, int item, int number, int bytesIn) {
    List<Step> steps = new ArrayList<>();
    String statement = shape.kinds() ? "SELECT " + kind : "SELECT";
    int rows = 200 + size(kind, item + ITEMS * number, 6_000);
    Program db = leaf("db", statement, 60, rows, value(item));
    Program store = leaf("store", "GET", 40, 100, value(OWNERS + item % ITEMS_AN_OWNER));
    if (random.nextDouble() >= shape.cached()) {
      if (random.nextDouble() < shape.parallel()) {
        steps.add(new Step(shape.gaps().micros(random), List.of(db, db, store), true));
      } else if (shape.single()) {
        steps.add(step(db));
      } else {
        inTurn(steps, db, store);
      }
    }
    if (random.nextDouble() < shape.handedOver()) {
      Program log = leaf("store", shape.kinds() ? "PUSH" : "GET", 300, 5, 0);
      steps.add(new Step(shape.gaps().micros(random), List.of(log), false));
    }
    // Pages are made of rows, of greetings, of times: their size is not that of the rows.
    int bytesOut = rows + 900 + random.nextInt(200);
    return new Program("app", kind, steps, bytesIn + 41, bytesOut, value(item));
  }

  private void inTurn(List<Step> steps, Program db, Program store) {
    steps.add(step(db));
    if (random.nextBoolean()) {
      steps.add(step(store));
    }
    if (shape.pool() == TrafficShape.Pool.EACH_REQUEST) {
      long owner = value(OWNERS + db.bytesOut() % ITEMS_AN_OWNER);
      steps.add(step(leaf("db", shape.kinds() ? "SELECT more" : "SELECT", 50, 90, owner)));
    }
  }

  private Step step(Program call) {
    return new Step(shape.gaps().micros(random), List.of(call), true);
  }

  private static Program leaf(String server, String kind, int bytesIn, int bytesOut, long value) {
    return new Program(server, kind, List.of(), bytesIn, bytesOut, value);
  }

  /** The number of something, with as many digits as those of real tables. */
  private long value(int number) {
    return shape.valued() ? FIRST_NUMBER + number : 0;
  }

  /** A size that is the same each time for one item. */
  private static int size(String kind, int item, int most) {
    return Math.floorMod(31 * kind.hashCode() + 0x9e3779b9 * item, most);
  }
}
