package org.terrace.experiment.load;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/**
 * Runs a {@link LoadPlan} in this process: starts users, watches phases, ends users, judges the
 * generator and writes the result. {@link #run} is called once, from one thread; {@link #stop} from
 * any.
 */
final class LoadEngine {
  private static final long SECOND = 1_000_000_000L;
  private static final long POLL_NANOS = 1_000_000L;

  /** Users whose pages were ended have this long to say so. */
  private static final long ABORT_NANOS = 2 * SECOND;

  /** Starts are this far ahead at most of the moment at which a user is due. */
  private static final long START_AHEAD_NANOS = 20_000_000L;

  private final LoadPlan plan;
  private final LoadListener listener;
  private final LoadClock clock;
  private final TimeSource time;
  private final Mix mix;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final List<Event> phases = new ArrayList<>();
  private final AtomicLong scheduledInRun = new AtomicLong();
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
    List<InetAddress> sources = MachineLimits.check(plan);
    try (RequestLog log = RequestLog.open(plan.output());
        Watchdog watchdog = Watchdog.start(time);
        Sentinel sentinel = Sentinel.start(time);
        GeneratorProbe probe = new GeneratorProbe()) {
      LoadMeter meter = new LoadMeter(log, clock, plan, mix);
      load(log, new LoadContext(plan, mix, sources, time, meter, watchdog), sentinel, probe);
    }
  }

  private void load(RequestLog log, LoadContext context, Sentinel sentinel, GeneratorProbe probe) {
    UserThreads users = new UserThreads(context);
    @Nullable Arrivals arrivals =
        plan.model() instanceof LoadPlan.Open ? new Arrivals(plan.limits().backlog()) : null;
    long rampNanos = plan.phases().rampUp().toNanos();
    long runNanos = plan.phases().run().toNanos();
    long start = time.elapsedNanos();
    Thread starter = starter(context, users, arrivals, start);
    watch("ramp-up", EventKinds.PHASE_RAMP_UP, start, start + rampNanos, context);

    sentinel.reset();
    probe.reset();
    long runStart = time.elapsedNanos();
    long cpuStart = probe.cpuNanos();
    context.meter().startRun(runStart);
    boolean completed = watch("run", EventKinds.PHASE_RUN, runStart, runStart + runNanos, context);

    context.stop();
    long runEnd = time.elapsedNanos();
    context.meter().endRun(runEnd);
    double runSeconds = (runEnd - runStart) / 1e9;
    double cpuCores = (probe.cpuNanos() - cpuStart) / 1e9 / runSeconds;
    double[] sentinels = {sentinel.quantileMicros(0.50), sentinel.quantileMicros(0.99)};
    long collections = probe.collections();
    double longestCollection = probe.longestMicros();
    LockSupport.unpark(starter);
    rampDown(context, users, arrivals);

    log.close();
    LoadMeter.RunFigures run = context.meter().run();
    double expected = expectedPerSecond(run, runSeconds);
    GeneratorFacts facts =
        new GeneratorFacts(
            plan.model().users(),
            run.requests(),
            run.errors(),
            expected,
            run.requests() / runSeconds,
            run.responseP50Micros(),
            run.responseP99Micros(),
            run.intendedP99Micros(),
            run.latenessP50Micros(),
            run.latenessP99Micros(),
            sentinels[0],
            sentinels[1],
            cpuCores,
            probe.peakResidentBytes(),
            collections,
            longestCollection,
            context.detours(),
            context.reconnects(),
            context.sessions(),
            arrivals == null ? 0 : arrivals.dropped(),
            log.lost(),
            clock.driftNanos() / 1000.0);
    Map<Failure, Long> failures = context.meter().failures();
    List<LoadCheck> checks = LoadChecks.judge(facts, failures, completed, rateNoise(run));
    LoadResultFiles.writeSummary(
        new LoadResult(plan, RequestTable.empty(), phases, checks, facts, failures),
        mix.states(),
        log.rows());
  }

  /** The thread that starts users over the ramp-up, and arrivals as they are due. */
  private Thread starter(
      LoadContext context, UserThreads users, @Nullable Arrivals arrivals, long start) {
    return Thread.ofPlatform()
        .daemon()
        .name("load-starter")
        .start(() -> {
          if (arrivals == null) {
            startClosed(context, users, start);
          } else {
            startOpen(context, users, arrivals, start);
          }
        });
  }

  private void startClosed(LoadContext context, UserThreads users, long start) {
    int count = plan.model().users();
    double gap = plan.phases().rampUp().toNanos() / (double) count;
    for (int user = 0; user < count; user++) {
      long due = start + (long) (user * gap);
      if (!context.awaitUntil(due - START_AHEAD_NANOS)) {
        return;
      }
      users.start(due, null);
    }
  }

  private void startOpen(LoadContext context, UserThreads users, Arrivals arrivals, long start) {
    LoadPlan.Open open = (LoadPlan.Open) plan.model();
    for (int user = 0; user < open.users(); user++) {
      users.start(start, arrivals);
    }
    long rampNanos = plan.phases().rampUp().toNanos();
    ArrivalSchedule schedule =
        new ArrivalSchedule(open, rampNanos / 1e9, new SplittableRandom(~plan.seed()));
    while (true) {
      long offset = schedule.nextNanos();
      if (!context.awaitUntil(start + offset)) {
        return;
      }
      arrivals.add(start + offset);
      if (offset >= rampNanos) {
        scheduledInRun.incrementAndGet();
      }
    }
  }

  private void rampDown(LoadContext context, UserThreads users, @Nullable Arrivals arrivals) {
    users.wake();
    if (arrivals != null) {
      arrivals.stop();
    }
    long start = time.elapsedNanos();
    long planned = start + plan.phases().rampDown().toNanos();
    begin("ramp-down", start, planned);
    awaitIdle(context, planned);
    if (context.inFlight().get() > 0) {
      users.abort();
      awaitIdle(context, time.elapsedNanos() + ABORT_NANOS);
    }
    end(EventKinds.PHASE_RAMP_DOWN, start);
  }

  private void awaitIdle(LoadContext context, long deadline) {
    while (context.inFlight().get() > 0 && time.elapsedNanos() < deadline) {
      report(context);
      LockSupport.parkNanos(this, POLL_NANOS);
    }
  }

  /** Waits for the end of a phase and reports each second; false when the load was stopped. */
  private boolean watch(String name, String kind, long start, long end, LoadContext context) {
    begin(name, start, end);
    boolean stop = false;
    for (long now = start; !stop && now < end; now = time.elapsedNanos()) {
      try {
        stop = stopped.await(Math.max(0, Math.min(end, nextProgress) - now), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        stop = true;
      }
      report(context);
    }
    end(kind, start);
    return !stop && stopped.getCount() > 0;
  }

  private void begin(String name, long start, long plannedEnd) {
    phaseName = name;
    listener.phase(name, clock.epochNanos(start), clock.epochNanos(plannedEnd));
  }

  private void end(String kind, long start) {
    phases.add(
        new Event(
            Server.CLIENTS,
            kind,
            clock.epochNanos(start),
            clock.epochNanos(time.elapsedNanos()),
            Map.of()));
  }

  private void report(LoadContext context) {
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
            context.usersActive().get(),
            second.requests() / seconds,
            second.errors(),
            second.p50Micros(),
            second.p99Micros()));
    nextProgress = now + SECOND;
  }

  /**
   * What the plan implies: an open load's scheduled arrivals; a closed load's users, each of whom
   * asks once in the mean of think and response times (the operational law of interactive systems).
   * The think time is that of the plan, not the one drawn: long thinks that began before the users
   * did are missing from a run, which would make the drawn mean too small.
   */
  private double expectedPerSecond(LoadMeter.RunFigures run, double runSeconds) {
    return switch (plan.model()) {
      case LoadPlan.Open open -> scheduledInRun.get() / runSeconds;
      case LoadPlan.Closed closed -> {
        double cycle = run.meanThinkNanos() + run.meanResponseNanos();
        yield cycle > 0 ? closed.users() * 1e9 / cycle : 0;
      }
    };
  }

  /**
   * How far chance alone moves the ratio of achieved to expected rate, at three standard errors:
   * requests of many users who think exponentially are nearly a Poisson process, and with other
   * think times they vary less. An open load is compared with its own schedule, which leaves
   * nothing to chance.
   */
  private double rateNoise(LoadMeter.RunFigures run) {
    return plan.model() instanceof LoadPlan.Open || run.requests() == 0
        ? 0
        : 3 / Math.sqrt((double) run.requests());
  }
}
