package org.terrace.invocation;

import java.util.Objects;

/**
 * A refusal by a service's own rules ("lot is full", "order unknown"): a reply like any other,
 * retained and repeated under the same identity. What the call wrote before is rolled back.
 */
public final class BusinessException extends RuntimeException {
  private final String code;

  /**
   * A refusal.
   *
   * @param code what programs compare, in kebab-case, for example {@code lot-full}
   * @param message what people read
   */
  public BusinessException(String code, String message) {
    super(message);
    this.code = Objects.requireNonNull(code);
  }

  /** The code that programs compare, in kebab-case. */
  public String code() {
    return code;
  }
}
