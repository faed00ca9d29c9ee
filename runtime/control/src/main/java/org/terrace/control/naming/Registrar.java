package org.terrace.control.naming;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.terrace.control.ControlSecret;
import org.terrace.core.TimeSource;

/**
 * A client that changes names, as replication managers do: it carries {@link Proposal}s to the
 * naming processes, one at a time. Its methods block; they are called by one thread.
 */
public final class Registrar implements AutoCloseable {
  /** The result of a change or a read. */
  public sealed interface Result {
    /** The name now has this value: the wanted one, or another that stands in its way. */
    record Present(Registration value) implements Result {}

    /** The name has no value. */
    record Absent() implements Result {}

    /** No majority of the naming processes answered in time; the change may yet happen. */
    record Unknown() implements Result {}
  }

  /**
   * The time in which a majority must answer one message, which it does with what it promises on
   * its disks. A round is up to four such exchanges, and each that gets its majority has brought it
   * on.
   */
  private static final long EXCHANGE_MILLIS = 300;

  private static final long BACK_OFF_MILLIS_MAX = 20;
  private static final int REPLIES_MAX = 4_096;

  private record Reply(int acceptor, NamingMessage message) {}

  private final List<NamingLink> links = new ArrayList<>();
  private final BlockingQueue<Reply> replies = new ArrayBlockingQueue<>(REPLIES_MAX);
  private final RandomGenerator random;
  private final Rounds rounds;
  private final TimeSource time = TimeSource.system();
  private final Consumer<Registration> notices;
  private final List<String> watched;

  /**
   * A registrar of the naming processes at these addresses: all of them, as their majority counts.
   *
   * @param secret of the naming processes
   * @param random the source of its identity and its back-off
   * @param watched names of which it is told each newer value
   * @param notices takes those values, on a thread of the registrar's
   */
  public Registrar(
      List<InetSocketAddress> addresses,
      ControlSecret secret,
      RandomGenerator random,
      List<String> watched,
      Consumer<Registration> notices) {
    this.random = random;
    this.rounds = new Rounds(random.nextLong());
    this.notices = notices;
    this.watched = List.copyOf(watched);
    for (int i = 0; i < addresses.size(); i++) {
      int acceptor = i;
      links.add(
          new NamingLink(
              addresses.get(i),
              secret,
              message -> receive(acceptor, message),
              () -> watch(acceptor)));
    }
  }

  private void watch(int acceptor) {
    if (acceptor < links.size()) {
      watched.forEach(name -> links.get(acceptor).send(new NamingMessage.Watch(name)));
    }
  }

  private void receive(int acceptor, NamingMessage message) {
    if (message instanceof NamingMessage.Learn(Registration value)) {
      notices.accept(value);
    } else if (!replies.offer(new Reply(acceptor, message))) {
      replies.clear();
    }
  }

  /**
   * Replaces the version before the wanted one's by the wanted one.
   *
   * @throws IllegalArgumentException if the wanted one is too long to be kept
   */
  public Result change(Registration wanted, long limitMillis) throws InterruptedException {
    return change(wanted, wanted.version() - 1, limitMillis);
  }

  /**
   * Replaces a version, or nothing, by the wanted value.
   *
   * @param replaced the version that is replaced, 0 for none
   * @throws IllegalArgumentException if the wanted one is too long to be kept, or no later version
   */
  public Result change(Registration wanted, long replaced, long limitMillis)
      throws InterruptedException {
    return run(Proposal.change(wanted, replaced, rounds, links.size()), limitMillis);
  }

  /** The value under a name, which stays until somebody changes it. */
  public Result read(String name, long limitMillis) throws InterruptedException {
    return run(Proposal.read(name, rounds, links.size()), limitMillis);
  }

  /** Tells all naming processes of a value that was chosen; may be called by any thread. */
  public void announce(Registration chosen) {
    send(new NamingMessage.Learn(chosen));
  }

  private Result run(Proposal proposal, long limitMillis) throws InterruptedException {
    long endNanos = time.elapsedNanos() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
    while (time.elapsedNanos() < endNanos) {
      Optional<Result> result = round(proposal, endNanos);
      if (result.isPresent()) {
        return result.get();
      }
      TimeUnit.MILLISECONDS.sleep(random.nextLong(1, BACK_OFF_MILLIS_MAX));
    }
    return new Result.Unknown();
  }

  private Optional<Result> round(Proposal proposal, long endNanos) throws InterruptedException {
    replies.clear();
    send(proposal.begin());
    long exchangeEndNanos = exchangeEnd(endNanos);
    while (true) {
      Reply reply = replies.poll(exchangeEndNanos - time.elapsedNanos(), TimeUnit.NANOSECONDS);
      if (reply == null) {
        return Optional.empty();
      }
      switch (proposal.receive(reply.acceptor(), reply.message())) {
        case Proposal.Step.Waiting() -> {}
        case Proposal.Step.Retry() -> {
          return Optional.empty();
        }
        case Proposal.Step.Send(NamingMessage message) -> {
          send(message);
          exchangeEndNanos = exchangeEnd(endNanos);
        }
        case Proposal.Step.Finished(Registration value) -> {
          if (value == null) {
            return Optional.of(new Result.Absent());
          }
          send(new NamingMessage.Learn(value));
          return Optional.of(new Result.Present(value));
        }
      }
    }
  }

  private long exchangeEnd(long endNanos) {
    return Math.min(endNanos, time.elapsedNanos() + TimeUnit.MILLISECONDS.toNanos(EXCHANGE_MILLIS));
  }

  private void send(NamingMessage message) {
    links.forEach(link -> link.send(message));
  }

  /**
   * Ends the connections. What was announced last may not have been sent: the change stays chosen,
   * and whoever reads the name, as the next leader of its managers does, announces it again.
   */
  @Override
  public void close() {
    links.forEach(NamingLink::close);
  }
}
