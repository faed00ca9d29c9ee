package org.terrace.testing;

import java.util.stream.Stream;

/**
 * The depth of the build that runs the tests, short or whole. {@code ./build} is short: it leaves
 * out tests with the tag {@value #LONG}, and others repeat less. {@code ./build --whole} is whole,
 * as is Maven when it is called by itself, so that a test that is asked for by its name runs.
 *
 * <p>Stateless; safe for any threads. Source: docs/decisions/0496.
 */
public final class Depth {
  /** The tag of tests that the whole build alone runs, on a class or on a method. */
  public static final String LONG = "long";

  private static final String PROPERTY = "terrace.depth";
  private static final String SHORT = "short";

  private Depth() {}

  /** The first of two counts in the whole build, the second in the short one. */
  public static int of(int whole, int brief) {
    return isShort() ? brief : whole;
  }

  /**
   * The kinds of database servers that the whole build runs a test on, of which the short build
   * takes the first.
   */
  public static Stream<String> databases() {
    return Stream.of("postgresql", "mariadb").limit(of(2, 1));
  }

  static boolean isShort() {
    return SHORT.equals(System.getProperty(PROPERTY));
  }
}
