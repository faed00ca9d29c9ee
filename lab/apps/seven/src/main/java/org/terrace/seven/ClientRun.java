package org.terrace.seven;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.terrace.core.TimeSource;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.CallRecord;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Probes;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Step;
import org.terrace.seven.application.Workload;

/**
 * A run of clients, each with a thread, connections and an identity of its own: first the warm-up,
 * then, all together, the measured calls. Used once.
 *
 * @param <S> the service
 */
final class ClientRun<S> {
  private final ClientArguments arguments;
  private final Application<S> application;
  private final TimeSource time;
  private final Probes probes;
  private final CyclicBarrier start;
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private volatile long fromNanos;
  private volatile boolean isEnding;

  ClientRun(ClientArguments arguments, Application<S> application, TimeSource time) {
    this.arguments = arguments;
    this.application = application;
    this.time = time;
    this.probes = Probes.of("clients", arguments.calls() + arguments.warmUp());
    this.start = new CyclicBarrier(arguments.clients(), () -> fromNanos = time.epochNanos());
  }

  /**
   * The record that a client leaves behind.
   *
   * @param number its number as in its identities
   * @param warmUp the last sequence of its warm-up
   * @param counts of its measured calls
   * @param attempts the log of its calls
   * @param acknowledged what it was told of updates, those of its warm-up too; empty unless asked
   */
  record Finished(
      long number,
      long warmUp,
      ClientCounts counts,
      List<CallRecord> attempts,
      List<UpdateReceipt> acknowledged) {}

  /** Makes each client end after its call under way, however many were to come. */
  void end() {
    isEnding = true;
  }

  /** Measured calls made so far. */
  int made() {
    return made.get();
  }

  /** Measured calls so far that came to no reply. */
  int failed() {
    return failed.get();
  }

  Probes probes() {
    return probes;
  }

  /** Runs all clients to their end. */
  List<Finished> run() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(arguments.clients())) {
      List<Future<Finished>> running = new ArrayList<>();
      for (int i = 0; i < arguments.clients(); i++) {
        int client = i;
        running.add(threads.submit(() -> client(client)));
      }
      List<Finished> finished = new ArrayList<>();
      for (Future<Finished> each : running) {
        finished.add(each.get());
      }
      return finished;
    }
  }

  /** The summary of the run. */
  RunSummary summary(List<Finished> finished, long toNanos) {
    Map<String, Integer> methods = ClientCounts.sorted();
    Map<String, Integer> refusals = ClientCounts.sorted();
    long[] latencies = new long[arguments.calls()];
    int filled = 0;
    for (Finished client : finished) {
      filled = client.counts.addTo(methods, refusals, latencies, filled);
    }
    return new RunSummary(
        application.name(),
        arguments.clients(),
        arguments.think().toNanos() / 1_000,
        arguments.replyBytes(),
        arguments.seed(),
        filled,
        finished.stream().mapToInt(client -> client.counts.replied).sum(),
        refusals,
        finished.stream().mapToInt(client -> client.counts.notExecuted).sum(),
        finished.stream().mapToInt(client -> client.counts.unknown).sum(),
        finished.stream().mapToInt(client -> client.counts.broken).sum(),
        methods,
        fromNanos,
        toNanos,
        RunSummary.Latency.of(Arrays.copyOf(latencies, filled)),
        (int) finished.stream().flatMap(ClientRun::metFault).count(),
        probes.dropped(),
        finished.stream().map(client -> Long.toHexString(client.number)).toList());
  }

  /** The measured calls of a client that took more than one attempt. */
  static Stream<CallRecord> metFault(Finished client) {
    return client.attempts.stream()
        .filter(call -> call.identity().sequence() > client.warmUp)
        .filter(CallRecord::metFault);
  }

  private Finished client(int index) throws Exception {
    int warmUp = arguments.partOf(arguments.warmUp(), index);
    int calls = arguments.partOf(arguments.calls(), index);
    ClientOptions options =
        ClientOptions.of(arguments.naming())
            .withFailOver(arguments.failOver())
            .withAttemptLogSize(warmUp + calls)
            .withProbes(probes);
    ClientCounts counts = new ClientCounts(calls);
    try (ServiceClient client =
        ServiceClient.open(arguments.hedge() ? options : options.withoutHedging())) {
      S service = client.stub(application.service(), application.name());
      Workload<S> mix = application.workload(arguments.seed(), index, arguments.replyBytes());
      Workload<S> workload =
          arguments.methods().isEmpty() ? mix : new ChosenMethods<>(mix, arguments.methods());
      ClientCounts ignored = new ClientCounts(warmUp);
      List<UpdateReceipt> told = new ArrayList<>();
      for (int i = 0; i < warmUp; i++) {
        perform(workload.next(), service, ignored, told);
      }
      start.await();
      for (int i = 0; i < calls && !isEnding; i++) {
        if (!perform(workload.next(), service, counts, told)) {
          failed.incrementAndGet();
        }
        made.incrementAndGet();
        think(arguments.think());
      }
      return new Finished(client.client(), warmUp, counts, client.attempts(), told);
    }
  }

  /** Makes one call and tells whether it came to a reply. */
  private <R> boolean perform(
      Step<S, R> step, S service, ClientCounts counts, List<UpdateReceipt> told) {
    long from = time.elapsedNanos();
    try {
      R reply = step.call().apply(service);
      counts.count(step.method(), time.elapsedNanos() - from);
      counts.replied++;
      if (keepsEffects(step)) {
        long key = step.effect().orElseThrow().applyAsLong(reply);
        told.add(UpdateReceipt.done(step.method(), key));
      }
      step.replied().accept(reply);
      return true;
    } catch (BusinessException refusal) {
      counts.count(step.method(), time.elapsedNanos() - from);
      counts.countRefusal(refusal.code());
      step.refused().accept(refusal);
      return true;
    } catch (InvocationException failure) {
      counts.count(step.method(), time.elapsedNanos() - from);
      switch (failure.outcome()) {
        case NOT_EXECUTED, ROLLED_BACK -> {
          counts.notExecuted++;
          return false;
        }
        case UNKNOWN -> counts.unknown++;
        case DONE -> counts.broken++;
      }
    } catch (RuntimeException failure) {
      counts.count(step.method(), time.elapsedNanos() - from);
      counts.broken++;
    }
    if (keepsEffects(step)) {
      told.add(UpdateReceipt.unknown(step.method()));
    }
    return false;
  }

  private boolean keepsEffects(Step<S, ?> step) {
    return arguments.acknowledged().isPresent() && step.effect().isPresent();
  }

  private static void think(Duration time) throws InterruptedException {
    if (time.isPositive()) {
      Thread.sleep(time);
    }
  }
}
