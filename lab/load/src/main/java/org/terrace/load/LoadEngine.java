package org.terrace.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.terrace.core.TimeSource;
import org.terrace.load.mix.Mix;
import org.terrace.load.page.SourcePorts;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/**
 * Runs a {@link LoadPlan} in this process: sends users off, watches phases, ends users, judges the
 * generator and writes the result. {@link #run} is called once, from one thread; {@link #stop} from
 * any.
 */
final class LoadEngine {
  private static final long SECOND = 1_000_000_000L;
  private static final long POLL_NANOS = 1_000_000L;

  /** Users whose pages were ended have this long to say so. */
  private static final long ABORT_NANOS = 2 * SECOND;

  private final LoadPlan plan;
  private final LoadListener listener;
  private final LoadClock clock;
  private final TimeSource time;
  private final Mix mix;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final List<Event> phases = new ArrayList<>();
  private final long origin;
  private long nextProgress;
  private String phaseName = "";

  LoadEngine(LoadPlan plan, TimeSource source, LoadListener listener) {
    this.plan = plan;
    this.listener = listener;
    this.mix = Mix.read(plan.mix());
    for (String state : plan.thinkOverrides().keySet()) {
      if (!mix.states().contains(state)) {
        throw LoadPlan.invalid("thinkOverrides", state, "a state of the mix: " + mix.states());
      }
    }
    this.clock = new LoadClock(source);
    this.time = source;
    this.origin = source.elapsedNanos();
    this.nextProgress = origin + SECOND;
  }

  /** Ends the load early, as its ramp-down would. */
  void stop() {
    stopped.countDown();
  }

  /** Runs the plan and writes its result to the plan's output directory. */
  void run() {
    List<SourcePorts> sources = MachineLimits.check(plan, time.epochNanos());
    try (RequestLog log = RequestLog.open(plan.output());
        Sentinel sentinel = Sentinel.start(time);
        GeneratorProbe probe = new GeneratorProbe()) {
      LoadContext context =
          new LoadContext(plan, mix, sources, time, new LoadMeter(log, clock, plan, mix));
      long start = time.elapsedNanos();
      Dispatcher dispatcher =
          switch (plan.model()) {
            case LoadPlan.Closed _ -> new ClosedDispatcher(context, start);
            case LoadPlan.Open open -> new OpenDispatcher(context, open, start);
          };
      RunCost cost = runPhases(context, dispatcher, sentinel, probe, start);
      log.finish();
      writeResult(context, dispatcher, log, cost);
    }
  }

  /** The generator's own cost in the run phase, apart from the requests. */
  private record RunCost(
      double seconds,
      boolean completed,
      double cpuCores,
      double sentinelP50Micros,
      double sentinelP99Micros,
      long collections,
      double longestCollectionMicros,
      long peakResidentBytes) {}

  private RunCost runPhases(
      LoadContext context,
      Dispatcher dispatcher,
      Sentinel sentinel,
      GeneratorProbe probe,
      long start) {
    Thread thread = Thread.ofPlatform().daemon().name("dispatcher").start(dispatcher::dispatch);
    try (Watchdog _ = Watchdog.start(time, dispatcher.users())) {
      long runDue = start + plan.phases().rampUp().toNanos();
      watch("ramp-up", EventKinds.PHASE_RAMP_UP, start, runDue, context, dispatcher);

      sentinel.reset();
      probe.reset();
      long runStart = time.elapsedNanos();
      long cpuStart = probe.cpuNanos();
      context.meter().startRun(runStart);
      long runEndDue = runStart + plan.phases().run().toNanos();
      boolean completed =
          watch("run", EventKinds.PHASE_RUN, runStart, runEndDue, context, dispatcher);

      context.stop();
      long runEnd = time.elapsedNanos();
      context.meter().endRun(runEnd);
      double seconds = (runEnd - runStart) / 1e9;
      RunCost cost =
          new RunCost(
              seconds,
              completed,
              (probe.cpuNanos() - cpuStart) / 1e9 / seconds,
              sentinel.quantileMicros(0.50),
              sentinel.quantileMicros(0.99),
              probe.collections(),
              probe.longestMicros(),
              probe.peakResidentBytes());
      thread.interrupt();
      rampDown(context, dispatcher);
      addBursts(runDue, dispatcher.offeredInBursts().iterator());
      return cost;
    }
  }

  /** The bursts as they came about: users keep to them by the clock. */
  private void addBursts(long runNanos, Iterator<BurstOffer> offered) {
    long endNanos = runNanos + plan.phases().run().toNanos();
    for (LoadPace.Burst burst : plan.pace().bursts()) {
      long from = runNanos + burst.at().toNanos();
      long to = Math.min(endNanos, from + burst.length().toNanos());
      Map<String, String> details = new HashMap<>();
      details.put("factor", Double.toString(burst.factor()));
      if (burst.isFault() && offered.hasNext()) {
        details.putAll(offered.next().attributes());
      }
      phases.add(
          new Event(
              Server.CLIENTS,
              burst.isFault() ? EventKinds.FAULT_BURST : EventKinds.BURST,
              clock.epochNanos(from),
              clock.epochNanos(Math.max(from, to)),
              details));
    }
  }

  private void rampDown(LoadContext context, Dispatcher dispatcher) {
    long start = time.elapsedNanos();
    long planned = start + plan.phases().rampDown().toNanos();
    begin("ramp-down", start, planned);
    awaitIdle(context, dispatcher, planned);
    if (context.inFlight().get() > 0) {
      dispatcher.users().forEach(EmulatedUser::abort);
      awaitIdle(context, dispatcher, time.elapsedNanos() + ABORT_NANOS);
    }
    dispatcher.users().forEach(EmulatedUser::leave);
    end(EventKinds.PHASE_RAMP_DOWN, start);
  }

  private void awaitIdle(LoadContext context, Dispatcher dispatcher, long deadline) {
    while (context.inFlight().get() > 0 && time.elapsedNanos() < deadline) {
      report(context, dispatcher);
      LockSupport.parkNanos(this, POLL_NANOS);
    }
  }

  /** Waits for the end of a phase and reports each second; false when the load was stopped. */
  private boolean watch(
      String name, String kind, long start, long end, LoadContext context, Dispatcher dispatcher) {
    begin(name, start, end);
    boolean stop = false;
    for (long now = start; !stop && now < end; now = time.elapsedNanos()) {
      long wait = Math.max(0, Math.min(end, nextProgress) - now);
      try {
        stop = stopped.await(wait, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        stop = true;
      }
      report(context, dispatcher);
    }
    end(kind, start);
    return !stop;
  }

  private void begin(String name, long start, long plannedEnd) {
    phaseName = name;
    listener.phase(name, clock.epochNanos(start), clock.epochNanos(plannedEnd));
  }

  private void end(String kind, long start) {
    long end = time.elapsedNanos();
    phases.add(
        new Event(Server.CLIENTS, kind, clock.epochNanos(start), clock.epochNanos(end), Map.of()));
  }

  private void report(LoadContext context, Dispatcher dispatcher) {
    long now = time.elapsedNanos();
    if (now < nextProgress) {
      return;
    }
    LoadMeter.Second second = context.meter().takeSecond();
    double seconds = 1 + (now - nextProgress) / (double) SECOND;
    listener.progress(
        new LoadProgress(
            (now - origin) / SECOND,
            phaseName,
            context.stopping() ? context.inFlight().get() : dispatcher.usersBegun(),
            second.requests() / seconds,
            second.errors(),
            second.p50Micros(),
            second.p99Micros()));
    nextProgress = now + SECOND;
  }

  private void writeResult(
      LoadContext context, Dispatcher dispatcher, RequestLog log, RunCost cost) {
    LoadMeter.RunFigures run = context.meter().run();
    GeneratorFacts facts =
        new GeneratorFacts(
            plan.model().users(),
            run.requests(),
            run.errors(),
            expectedPerSecond(context.meter(), dispatcher, cost.seconds()),
            run.requests() / cost.seconds(),
            run.responseP50Micros(),
            run.responseP99Micros(),
            run.intendedP99Micros(),
            run.latenessP50Micros(),
            run.latenessP99Micros(),
            cost.sentinelP50Micros(),
            cost.sentinelP99Micros(),
            cost.cpuCores(),
            cost.peakResidentBytes(),
            cost.collections(),
            cost.longestCollectionMicros(),
            context.detours(),
            context.reconnects(),
            context.sessions(),
            dispatcher.dropped(),
            log.lost(),
            clock.driftNanos() / 1000.0);
    Map<Failure, Long> failures = context.meter().failures();
    List<LoadCheck> checks = LoadChecks.judge(facts, failures, cost.completed(), rateNoise(run));
    LoadResultFiles.writeSummary(
        new LoadResult(plan, RequestTable.empty(), phases, checks, facts, failures),
        mix.states(),
        log.rows());
  }

  /**
   * The rate that the plan implies: an open load's scheduled arrivals; of a closed load what its
   * users ask if none is late, and all think for as long as planned.
   */
  private double expectedPerSecond(LoadMeter meter, Dispatcher dispatcher, double runSeconds) {
    return switch (plan.model()) {
      case LoadPlan.Open _ -> dispatcher.scheduledInRun() / runSeconds;
      case LoadPlan.Closed _ -> meter.expectedOfClosed(runSeconds);
    };
  }

  /**
   * The share by which chance alone moves the ratio of achieved to expected rate, at three standard
   * errors of the mean of think times that are drawn exponentially; others vary less. An open load
   * is compared with its own schedule, which leaves nothing to chance.
   */
  private double rateNoise(LoadMeter.RunFigures run) {
    return plan.model() instanceof LoadPlan.Open || run.requests() == 0
        ? 0
        : 3 / Math.sqrt((double) run.requests());
  }
}
