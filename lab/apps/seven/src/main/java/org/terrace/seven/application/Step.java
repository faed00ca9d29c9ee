package org.terrace.seven.application;

import java.util.function.Consumer;
import java.util.function.Function;
import org.terrace.invocation.BusinessException;

/**
 * One call that a client makes next, and what it learns from the reply.
 *
 * @param <S> the service
 * @param <R> the reply
 * @param method the method's name, which the probes of client and replica carry
 * @param call makes the call
 * @param replied takes the reply
 * @param refused takes the refusal, which is a reply too
 */
public record Step<S, R>(
    String method, Function<S, R> call, Consumer<R> replied, Consumer<BusinessException> refused) {

  /** A call whose reply teaches nothing. */
  public static <S, R> Step<S, R> of(String method, Function<S, R> call) {
    return of(method, call, reply -> {});
  }

  /** A call whose refusal teaches nothing. */
  public static <S, R> Step<S, R> of(String method, Function<S, R> call, Consumer<R> replied) {
    return new Step<>(method, call, replied, refusal -> {});
  }

  /** Makes the call and takes its reply or refusal. */
  public void perform(S service) {
    try {
      replied.accept(call.apply(service));
    } catch (BusinessException refusal) {
      refused.accept(refusal);
    }
  }
}
