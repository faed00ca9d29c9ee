package org.terrace.seven;

import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.seven.application.Step;
import org.terrace.seven.application.Workload;

/**
 * The calls of one method in a mix, without the others. It suits methods that need nothing that
 * another call brought about, such as those that only look.
 *
 * @param <S> the service
 */
final class OneMethod<S> implements Workload<S> {
  /** A method that does not come up in so many calls does not exist. */
  private static final int PASSED_OVER_MAX = 10_000;

  private final Workload<S> mix;
  private final String method;

  OneMethod(Workload<S> mix, String method) {
    this.mix = mix;
    this.method = method;
  }

  @Override
  public Step<S, ?> next() {
    for (int passedOver = 0; passedOver < PASSED_OVER_MAX; passedOver++) {
      Step<S, ?> step = mix.next();
      if (step.method().equals(method)) {
        return step;
      }
    }
    throw new TerraceException(
        ErrorCode.BAD_INPUT,
        "--method names '%s', which the workload of this application does not call"
            .formatted(method));
  }
}
