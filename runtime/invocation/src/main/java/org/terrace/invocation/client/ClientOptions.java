package org.terrace.invocation.client;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.terrace.control.Naming;
import org.terrace.control.Style;
import org.terrace.invocation.FailOverOptions;
import org.terrace.invocation.Probes;
import org.terrace.invocation.softstate.SoftStateOptions;
import org.terrace.middleware.Middleware;
import org.terrace.middleware.Middlewares;

/** The settings of a {@link ServiceClient}. Immutable; each {@code with} makes a changed copy. */
public final class ClientOptions {
  private final Naming naming;
  private long client = ThreadLocalRandom.current().nextLong();
  private Duration deadline = Duration.ofSeconds(30);
  private FailOverOptions failOver = FailOverOptions.all();
  private Duration hedgeMax = Duration.ofMillis(15);
  private boolean hedging = true;
  private int attemptLogSize = 1_024;
  private @Nullable Probes probes;
  private @Nullable Middleware middleware;
  private SoftStateOptions softState = SoftStateOptions.defaults();

  private ClientOptions(Naming naming) {
    this.naming = Objects.requireNonNull(naming);
  }

  private ClientOptions(ClientOptions other) {
    naming = other.naming;
    client = other.client;
    deadline = other.deadline;
    failOver = other.failOver;
    hedgeMax = other.hedgeMax;
    hedging = other.hedging;
    attemptLogSize = other.attemptLogSize;
    probes = other.probes;
    middleware = other.middleware;
    softState = other.softState;
  }

  /** Options of a client that finds services through the naming; all parts of fail-over are on. */
  public static ClientOptions of(Naming naming) {
    return new ClientOptions(naming);
  }

  /**
   * Gives the client this number instead of one drawn at random: a number is for one incarnation of
   * one client.
   */
  public ClientOptions withClient(long newClient) {
    ClientOptions copy = new ClientOptions(this);
    copy.client = newClient;
    return copy;
  }

  /** How long a call may take in all, with every attempt and wait. */
  public ClientOptions withDeadline(Duration newDeadline) {
    if (!newDeadline.isPositive()) {
      throw new IllegalArgumentException("A deadline is above zero, not " + newDeadline + ".");
    }
    ClientOptions copy = new ClientOptions(this);
    copy.deadline = newDeadline;
    return copy;
  }

  /** The parts of fail-over; pool and trusted identity are the server's. */
  public ClientOptions withFailOver(FailOverOptions newFailOver) {
    ClientOptions copy = new ClientOptions(this);
    copy.failOver = Objects.requireNonNull(newFailOver);
    return copy;
  }

  /**
   * Sends a call that hangs to a second replica as well, after the time that 99 of 100 calls took
   * or this one, whichever is less.
   */
  public ClientOptions withHedging(Duration newHedgeMax) {
    if (!newHedgeMax.isPositive()) {
      throw new IllegalArgumentException("A hedge waits above zero, not " + newHedgeMax + ".");
    }
    ClientOptions copy = new ClientOptions(this);
    copy.hedging = true;
    copy.hedgeMax = newHedgeMax;
    return copy;
  }

  /** Sends no call twice for being slow. */
  public ClientOptions withoutHedging() {
    ClientOptions copy = new ClientOptions(this);
    copy.hedging = false;
    return copy;
  }

  /** How many of the last calls {@link ServiceClient#attempts()} keeps, 0 or more. */
  public ClientOptions withAttemptLogSize(int newSize) {
    if (newSize < 0) {
      throw new IllegalArgumentException("An attempt log keeps 0 or more, not " + newSize + ".");
    }
    ClientOptions copy = new ClientOptions(this);
    copy.attemptLogSize = newSize;
    return copy;
  }

  /** Records there when each call is issued and answered, and its method. */
  public ClientOptions withProbes(Probes newProbes) {
    ClientOptions copy = new ClientOptions(this);
    copy.probes = Objects.requireNonNull(newProbes);
    return copy;
  }

  /**
   * Reaches replicas of this middleware's name through this object, for example one with TLS; for
   * those of other names the one that the name finds is used.
   */
  public ClientOptions withMiddleware(Middleware newMiddleware) {
    ClientOptions copy = new ClientOptions(this);
    copy.middleware = Objects.requireNonNull(newMiddleware);
    return copy;
  }

  /** How calls are spread over the replicas of services of style {@link Style#SOFT_STATE}. */
  public ClientOptions withSoftState(SoftStateOptions newSoftState) {
    ClientOptions copy = new ClientOptions(this);
    copy.softState = Objects.requireNonNull(newSoftState);
    return copy;
  }

  /** Where services are found. */
  public Naming naming() {
    return naming;
  }

  /** The client's number. */
  public long client() {
    return client;
  }

  /** How long a call may take in all. */
  public Duration deadline() {
    return deadline;
  }

  /** The parts of fail-over that are on. */
  public FailOverOptions failOver() {
    return failOver;
  }

  /** Whether slow calls are sent to a second replica as well. */
  public boolean hedging() {
    return hedging;
  }

  /** The longest wait before a hedge. */
  public Duration hedgeMax() {
    return hedgeMax;
  }

  /** How many of the last calls the attempt log keeps. */
  public int attemptLogSize() {
    return attemptLogSize;
  }

  /** Where probes are recorded, or null. */
  public @Nullable Probes probes() {
    return probes;
  }

  /** The middleware given, or null. */
  public @Nullable Middleware middleware() {
    return middleware;
  }

  /** What reaches replicas of that middleware's name: the one given, if the name is its own. */
  public Middleware middlewareOf(String name) {
    Middleware given = middleware;
    return given != null && given.name().equals(name) ? given : Middlewares.byName(name);
  }

  /** How calls are spread over the replicas of soft state. */
  public SoftStateOptions softState() {
    return softState;
  }
}
