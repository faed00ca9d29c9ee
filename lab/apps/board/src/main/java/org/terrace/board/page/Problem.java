package org.terrace.board.page;

/**
 * The reason why a visitor does not get the page that he asked for.
 *
 * <p>It carries no stack trace: a wrong address is no failure of the program, and there may be many
 * a second.
 */
final class Problem extends Exception {
  private final int status;

  private Problem(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** Nothing is there: status 404. */
  static Problem notFound(String what) {
    return new Problem(404, what);
  }

  /** A field is wrong: status 422; the form is shown again with the message. */
  static Problem wrongInput(String message) {
    return new Problem(422, message);
  }

  /** The visitor may not do this: status 403. */
  static Problem forbidden(String message) {
    return new Problem(403, message);
  }

  /** The HTTP status of the answer. */
  int status() {
    return status;
  }

  /** The message to the visitor. */
  String message() {
    return String.valueOf(getMessage());
  }
}
