package org.terrace.hosts;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.hosts.ServerWatch.LimitsInForce;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Event;
import org.terrace.observation.Sample;

/** The watch of all hosts of a trial. Thread-safe. */
public final class TrialWatch implements AutoCloseable {
  private final Map<ServerHost, ServerWatch> watches = new LinkedHashMap<>();
  private final ServerHost runner;

  /**
   * Starts to watch.
   *
   * @param runner the host of this process, which reads what the machine uses
   */
  TrialWatch(Map<ServerHost, WatchPlan> plans, ServerHost runner) {
    this.runner = runner;
    plans.forEach((host, plan) -> watches.put(host, host.watch(plan)));
  }

  /**
   * Puts all limits of processor time in force, at all hosts at once: one that answers late leaves
   * no other's servers without theirs.
   *
   * @return what each host has put in force, by the clock of this machine
   * @throws CompletionException with the reason of the first host that could not
   */
  public List<LimitsInForce> enforceLimits() {
    List<CompletableFuture<LimitsInForce>> enforcing =
        watches.values().stream()
            .map(watch ->
                CompletableFuture.supplyAsync(watch::enforceLimits, Thread::startVirtualThread))
            .toList();
    return enforcing.stream().map(CompletableFuture::join).toList();
  }

  /**
   * Ends the watch at all hosts at once, and tells what was read, by the clock of this machine;
   * once.
   *
   * @throws TerraceException with the reason of the first host that could not tell
   */
  public WatchReadings end() {
    List<Sample> samples = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    List<String> lost = new ArrayList<>();
    List<String> limitsLost = new ArrayList<>();
    Map<ServerHost, CompletableFuture<WatchReadings>> ending = new LinkedHashMap<>();
    watches.forEach((host, watch) ->
        ending.put(host, CompletableFuture.supplyAsync(watch::end, Thread::startVirtualThread)));
    awaitAll(ending.values());
    ending.forEach((host, ended) -> {
      WatchReadings result = ended.join();
      result.samples().forEach(sample -> keep(host, sample, samples));
      events.addAll(result.events());
      warnings.addAll(result.warnings());
      result.lost().forEach(what -> lost.add(host.name() + ": " + what));
      limitsLost.addAll(result.limitsLost());
    });
    MonitorCost cost =
        ending.values().stream()
            .map(ended -> ended.join().cost())
            .reduce(MonitorCost.NONE, MonitorCost::and);
    return new WatchReadings(samples, events, warnings, lost, limitsLost, cost);
  }

  /** The node of the readings of the processors of a host, if they are not those of this one. */
  public static String machineNode(ServerHost host) {
    return Resources.MACHINE + "-" + host.name();
  }

  /** Takes a sample in, but those of a whole machine not again from a host that has as much. */
  private void keep(ServerHost host, Sample sample, List<Sample> samples) {
    if (!sample.node().equals(Resources.MACHINE) || host.equals(runner)) {
      samples.add(sample);
    } else if (!host.facts().hasSameProcessors(runner.facts())) {
      samples.add(
          new Sample(machineNode(host), sample.resource(), sample.timeNanos(), sample.value()));
    }
  }

  /** Waits until all are done, and throws what the first that failed did. */
  private static void awaitAll(Collection<? extends CompletableFuture<?>> all) {
    try {
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof TerraceException refused
          ? refused
          : new CompletionException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, "interrupted while hosts were asked for what they read", e);
    }
  }

  /** Ends the watch at all hosts at once; one that does not answer is ended with its agent. */
  @Override
  public void close() {
    awaitAll(
        watches.values().stream()
            .map(watch -> CompletableFuture.runAsync(watch::close, Thread::startVirtualThread))
            .toList());
  }
}
