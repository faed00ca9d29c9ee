package org.terrace.seven.application;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
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
 * @param effect the key, among those of {@link Effect#keys}, of the effect that a reply
 *     acknowledges; empty where the call has none
 */
public record Step<S, R>(
    String method,
    Function<S, R> call,
    Consumer<R> replied,
    Consumer<BusinessException> refused,
    Optional<ToLongFunction<R>> effect) {

  /** A call without an effect that can be told from others. */
  public Step(
      String method,
      Function<S, R> call,
      Consumer<R> replied,
      Consumer<BusinessException> refused) {
    this(method, call, replied, refused, Optional.empty());
  }

  /** A call whose reply teaches nothing. */
  public static <S, R> Step<S, R> of(String method, Function<S, R> call) {
    return of(method, call, reply -> {});
  }

  /** A call whose refusal teaches nothing. */
  public static <S, R> Step<S, R> of(String method, Function<S, R> call, Consumer<R> replied) {
    return new Step<>(method, call, replied, refusal -> {});
  }

  /** The same call, whose reply acknowledges the effect of that key. */
  public Step<S, R> withEffect(ToLongFunction<R> key) {
    return new Step<>(method, call, replied, refused, Optional.of(key));
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
