package org.terrace.control.naming;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.terrace.testing.simulation.SimulatedNode;

/** Carries proposals from a simulated node to naming nodes, one at a time, as a registrar does. */
public final class SimulatedRegistrar {
  private static final long ROUND_NANOS = 300_000_000;
  private static final long LIMIT_NANOS = 1_000_000_000;
  private static final long BACK_OFF_NANOS_MAX = 20_000_000;

  private record Task(Supplier<Proposal> proposal, Consumer<Registrar.Result> answer) {}

  private final SimulatedNode node;
  private final List<String> naming;
  private final Rounds rounds;
  private final Deque<Task> tasks = new ArrayDeque<>();
  private Proposal proposal;
  private long endNanos;
  private long round;

  /** A registrar of one incarnation of a node. */
  public SimulatedRegistrar(SimulatedNode node, List<String> naming) {
    this.node = node;
    this.naming = naming;
    this.rounds = new Rounds(node.simulation().random().nextLong());
  }

  /** Replaces a version, 0 for none. */
  public void change(Registration wanted, long replaced, Consumer<Registrar.Result> answer) {
    add(new Task(() -> Proposal.change(wanted, replaced, rounds, naming.size()), answer));
  }

  /** Reads. */
  public void read(String name, Consumer<Registrar.Result> answer) {
    add(new Task(() -> Proposal.read(name, rounds, naming.size()), answer));
  }

  private void add(Task task) {
    tasks.add(task);
    if (tasks.size() == 1) {
      begin();
    }
  }

  private void begin() {
    if (!tasks.isEmpty()) {
      proposal = tasks.getFirst().proposal().get();
      endNanos = node.time().elapsedNanos() + LIMIT_NANOS;
      nextRound();
    }
  }

  private void nextRound() {
    if (node.time().elapsedNanos() >= endNanos) {
      finish(new Registrar.Result.Unknown());
      return;
    }
    long thisRound = ++round;
    send(proposal.begin());
    node.after(
        ROUND_NANOS,
        () -> {
          if (round == thisRound) {
            nextRound();
          }
        });
  }

  private void finish(Registrar.Result result) {
    round++;
    proposal = null;
    Task done = tasks.removeFirst();
    begin();
    done.answer().accept(result);
  }

  /** Takes a reply; false if the message is none, but a notice. */
  public Registration receive(String from, byte[] bytes) {
    NamingMessage message = NamingCodec.decode(bytes);
    if (message instanceof NamingMessage.Learn(Registration value)) {
      return value;
    }
    if (proposal != null) {
      take(proposal.receive(naming.indexOf(from), message));
    }
    return null;
  }

  private void take(Proposal.Step step) {
    switch (step) {
      case Proposal.Step.Waiting() -> {}
      case Proposal.Step.Send(NamingMessage message) -> send(message);
      case Proposal.Step.Retry() -> {
        long thisRound = ++round;
        node.after(
            node.simulation().random().nextLong(BACK_OFF_NANOS_MAX),
            () -> {
              if (round == thisRound) {
                nextRound();
              }
            });
      }
      case Proposal.Step.Finished(Registration value) -> {
        if (value == null) {
          finish(new Registrar.Result.Absent());
        } else {
          send(new NamingMessage.Learn(value));
          finish(new Registrar.Result.Present(value));
        }
      }
    }
  }

  /** Tells all naming nodes of a value that was chosen. */
  public void announce(Registration chosen) {
    send(new NamingMessage.Learn(chosen));
  }

  private void send(NamingMessage message) {
    byte[] bytes = NamingCodec.encode(message);
    naming.forEach(name -> node.send(name, bytes));
  }
}
