package org.terrace.seven;

import java.util.Set;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.seven.application.Step;
import org.terrace.seven.application.Workload;

/**
 * The calls of some methods in a mix, without the others. It suits methods that need nothing that
 * another call brought about: those that only look, or all updates together.
 *
 * @param <S> the service
 */
final class ChosenMethods<S> implements Workload<S> {
  /** Methods that do not come up in so many calls do not exist. */
  private static final int PASSED_OVER_MAX = 10_000;

  private final Workload<S> mix;
  private final Set<String> methods;

  ChosenMethods(Workload<S> mix, Set<String> methods) {
    this.mix = mix;
    this.methods = Set.copyOf(methods);
  }

  @Override
  public Step<S, ?> next() {
    for (int passedOver = 0; passedOver < PASSED_OVER_MAX; passedOver++) {
      Step<S, ?> step = mix.next();
      if (methods.contains(step.method())) {
        return step;
      }
    }
    throw new TerraceException(
        ErrorCode.BAD_INPUT,
        "--method names '%s', which the workload of this application does not call"
            .formatted(String.join(",", methods)));
  }
}
