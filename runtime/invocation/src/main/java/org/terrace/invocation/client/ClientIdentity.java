package org.terrace.invocation.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.terrace.core.RequestIdentity;

/**
 * The number under which a client's requests are known, and the numbers of its requests. Each
 * client draws one when it is opened, and another one when the replicas have forgotten it.
 * Thread-safe.
 */
final class ClientIdentity implements LongSupplier {

  /** A number and the requests that are numbered under it. */
  static final class Incarnation {
    private final long client;
    private final RequestNumbers numbers = new RequestNumbers();

    private Incarnation(long client) {
      this.client = client;
    }

    /** The client's number. */
    long client() {
      return client;
    }

    /** The numbers of its requests. */
    RequestNumbers numbers() {
      return numbers;
    }

    /** The identity of a request. */
    RequestIdentity of(RequestNumbers.Taken number) {
      return new RequestIdentity(client, number.sequence());
    }
  }

  private volatile Incarnation current = draw();

  private static Incarnation draw() {
    return new Incarnation(ThreadLocalRandom.current().nextLong());
  }

  /** The present incarnation. */
  Incarnation current() {
    return current;
  }

  /** Draws a new number, unless another call has since that one was forgotten. */
  synchronized void renew(Incarnation forgotten) {
    if (current == forgotten) {
      current = draw();
    }
  }

  /** The client's present number. */
  @Override
  public long getAsLong() {
    return current.client;
  }
}
