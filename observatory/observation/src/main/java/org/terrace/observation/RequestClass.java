package org.terrace.observation;

import java.util.List;

/**
 * The names of request classes, as far as they say more than what was asked (docs/decisions/0276).
 */
public final class RequestClass {
  /**
   * Ends the names of classes whose requests may wait by their client's own wish, for data or for
   * others, such as {@code BLPOP (waits)}: their time is no work of the server and counts in no
   * load.
   */
  public static final String WAITS = " (waits)";

  /**
   * Begins the names of classes of statements that were prepared before the capture began, so that
   * their text was not seen; behind it stands what their executions tell of them.
   */
  public static final String PREPARED_BEFORE = "(prepared before the capture)";

  private RequestClass() {}

  /** The statement of a class, or what is known of one whose text was not seen. */
  public static String statement(String requestClass) {
    return requestClass.startsWith(PREPARED_BEFORE)
        ? requestClass.substring(PREPARED_BEFORE.length()).strip()
        : requestClass.strip();
  }

  /** Whether the requests of a class may wait by their client's own wish. */
  public static boolean mayWait(String requestClass) {
    return requestClass.endsWith(WAITS);
  }

  /** The classes whose requests may wait, marked true, in their order. */
  public static boolean[] thatMayWait(List<String> requestClasses) {
    boolean[] waits = new boolean[requestClasses.size()];
    for (int i = 0; i < waits.length; i++) {
      waits[i] = mayWait(requestClasses.get(i));
    }
    return waits;
  }
}
