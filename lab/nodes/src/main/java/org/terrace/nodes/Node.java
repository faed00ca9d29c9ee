package org.terrace.nodes;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ReadyWait;
import org.terrace.nodes.NodeSpecification.Readiness;

/** A process that was started for a trial, in a session of its own. Thread-safe. */
public final class Node {
  private static final Duration AFTER_KILL = Duration.ofSeconds(5);
  private static final Duration AGAIN = Duration.ofMillis(50);
  private static final Duration LAST_LINES_WITHIN = Duration.ofSeconds(2);

  private final NodeSpecification specification;
  private final Host host;
  private final Process process;
  private final NodeLog log;
  private final TimeSource time;
  private final BufferedWriter input;
  private final CompletableFuture<Exit> exit;
  private final ReadyWait ready;
  private final CountDownLatch outputEnded = new CountDownLatch(1);

  Node(NodeSpecification specification, Host host, Process process, NodeLog log, TimeSource time) {
    this.specification = specification;
    this.host = host;
    this.process = process;
    this.log = log;
    this.time = time;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
    this.exit = process.onExit().thenApply(ended -> new Exit(ended.exitValue(), time.epochNanos()));
    this.ready =
        new ReadyWait(
            process,
            specification.readiness() instanceof Readiness.Line(String text)
                ? ReadyWait.word(text)
                : line -> false);
    log.listen(ready::heard);
    Thread.ofPlatform().daemon().name("log of " + specification.name()).start(this::readOutput);
  }

  private void readOutput() {
    try {
      log.pump(process.getInputStream());
    } finally {
      ready.outputEnded();
      outputEnded.countDown();
    }
  }

  /** The name of the node, for example {@code app1}. */
  public String name() {
    return specification.name();
  }

  /** The specification that it was started from. */
  public NodeSpecification specification() {
    return specification;
  }

  /** The host it runs on. */
  public Host host() {
    return host;
  }

  /** The number of its first process, as its host counts. */
  public long pid() {
    return process.pid();
  }

  /** The file that holds what it prints. */
  public Path logFile() {
    return log.file();
  }

  /** The reason for which the file does not hold all that it printed; empty if it can. */
  public Optional<String> logRefusal() {
    return log.refusal();
  }

  /** The last lines it printed. */
  public String logTail() {
    return log.tail();
  }

  /** Whether its first process has not ended. A stopped process is alive. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Completes when its first process has ended. */
  public CompletableFuture<Exit> exit() {
    return exit;
  }

  /** Hands every line it prints from now on to a listener, on the thread that reads them. */
  public void listen(Consumer<String> listener) {
    log.listen(listener);
  }

  /** The processes of the node that are there now on its host, its first process first. */
  public List<Long> members() {
    return host.members(process, specification.forks());
  }

  /** Writes a line to its standard input; false when it does not listen any more. */
  public synchronized boolean writeLine(String line) {
    try {
      input.write(line + "\n");
      input.flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Waits until it accepts work.
   *
   * @throws TerraceException if it ends before, or takes longer than it may, with the reason
   */
  public void awaitReady() throws InterruptedException {
    switch (specification.readiness()) {
      case Readiness.AtOnce() -> {}
      case Readiness.Line line ->
          require(ready.await(specification.readyWithin()), "print '" + line.text() + "'");
      case Readiness.Port port ->
          awaitCheck(
              () -> host.answers(port),
              "accept connections at " + port.address() + ":" + port.port());
      case Readiness.Http http ->
          awaitCheck(
              () -> host.answers(http),
              "answer GET " + HttpReadiness.uri(http) + " with a status from 200 to 299");
      case Readiness.Check check -> awaitCheck(check.check(), check.what());
    }
  }

  private void awaitCheck(BooleanSupplier check, String what) throws InterruptedException {
    require(ReadyWait.until(check, process, specification.readyWithin(), time), what);
  }

  /** Waits for its end; false when it is still there afterwards. */
  public boolean endsWithin(Duration limit) throws InterruptedException {
    return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void require(ReadyWait.Outcome outcome, String what) throws InterruptedException {
    if (outcome == ReadyWait.Outcome.ENDED) {
      // Its last lines may still be on their way; a child may hold their pipe open for ever.
      boolean read = outputEnded.await(LAST_LINES_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      assert read || !process.isAlive();
    }
    String why =
        switch (outcome) {
          case READY -> "";
          case ENDED -> "ended with exit status " + exit.join().status();
          case LATE ->
              "did not %s within %d s%s"
                  .formatted(what, specification.readyWithin().toSeconds(), instead());
        };
    if (!why.isEmpty()) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "%s %s instead of becoming ready; the end of its log %s:\n%s"
              .formatted(name(), why, log.file(), log.tail()));
    }
  }

  /** The places at which it listens, where it is to listen at one. */
  private String instead() {
    return switch (specification.readiness()) {
      case Readiness.Port _, Readiness.Http _ -> {
        List<String> places = host.listening(process, specification.forks());
        yield places.isEmpty()
            ? " (it listens nowhere)"
            : " (it listens at " + String.join(", ", places) + ")";
      }
      case Readiness.Line _, Readiness.Check _, Readiness.AtOnce _ -> "";
    };
  }

  /** Signals all its processes; false when none is left. */
  public boolean signal(Signal signal) {
    return host.signal(process, specification.forks(), signal);
  }

  /**
   * Kills all its processes at once, also when they are stopped, and waits until the first is gone.
   * Its first process is stopped beforehand if it forks, so that none escapes.
   */
  public void kill() throws InterruptedException {
    host.kill(process, specification.forks());
    process.waitFor(AFTER_KILL.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Asks its first process to end, and once that has, what it leaves behind, and kills what has not
   * within the given time.
   */
  public void stop(Duration within) throws InterruptedException {
    long untilNanos = time.elapsedNanos() + within.toNanos();
    if (process.isAlive()) {
      signal(Signal.CONT);
      host.signal(process, false, specification.stopSignal());
    }
    if (endsWithin(within) && (!specification.forks() || leftEnds(untilNanos))) {
      return;
    }
    kill();
  }

  /** Whether what the first process left is gone before a moment, asked to end as that was. */
  private boolean leftEnds(long untilNanos) throws InterruptedException {
    boolean isLeft = signal(specification.stopSignal());
    while (isLeft && time.elapsedNanos() < untilNanos) {
      var _ = new CountDownLatch(1).await(AGAIN.toNanos(), TimeUnit.NANOSECONDS);
      isLeft = signal(Signal.CONT);
    }
    return !isLeft;
  }
}
