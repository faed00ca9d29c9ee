package org.terrace.studies.transients;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.StringTokenizer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.terrace.capture.CaptureFilter;
import org.terrace.capture.CaptureOptions;
import org.terrace.capture.CaptureRights;
import org.terrace.capture.PacketCapture;
import org.terrace.core.TerraceException;
import org.terrace.core.process.ProcessStat;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialListener;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialPhase;
import org.terrace.experiment.TrialRunner;
import org.terrace.nodes.monitor.ResourceMonitor;
import org.terrace.observation.RequestTable;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.transients.WatchingCost.Way;

/**
 * A trial beside which this process watches, in one way after the other, and measures what each
 * takes of the processors. The order of the ways is drawn anew for each round.
 */
final class WatchingRun implements TrialListener {
  private static final Path STAT = Path.of("/proc/stat");
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int TICK_FIELDS = 8;

  private final StudyContext context;
  private final TransientParameters parameters;
  private final CountDownLatch done = new CountDownLatch(1);
  private final List<List<Double>> own = new ArrayList<>();
  private final List<List<MachineSlot>> machine = new ArrayList<>();

  /** The work of the machine's processors in a slot. */
  private record MachineSlot(long fromNanos, long toNanos, double busySeconds) {}

  private volatile boolean started;
  private volatile String obstacle = "";
  private long packets;
  private long dropped;

  WatchingRun(StudyContext context, TransientParameters parameters) {
    this.context = context;
    this.parameters = parameters;
    for (Way _ : Way.values()) {
      own.add(new ArrayList<>());
      machine.add(new ArrayList<>());
    }
  }

  WatchingCost run() throws InterruptedException {
    context.listener().message("the cost of watching, in turns");
    Duration all = parameters.slot().multipliedBy((long) Way.values().length * parameters.slots());
    TransientSpecification specification =
        TransientSpecification.ofWatching(
            parameters, all.plusSeconds(1), context.study().network(), context.study().seed());
    Trial trial =
        new TrialRunner(TrialOptions.ofHome(context.home()), this)
            .run(specification.experiment(), specification.text(), context.folder("watching"));
    if (started) {
      done.await();
    }
    if (!CaptureRights.ofThisProcess().builtIn()) {
      obstacle = "packets are captured by another program here, whose time is not this process's";
    }
    context.listener().progress(trial.clientRequests().size() + " pages while it was watched");
    long[] ends = ends(trial.clientRequests());
    return new WatchingCost(
        own.stream().map(list -> list.stream().mapToDouble(Double::doubleValue).toArray()).toList(),
        machine.stream().map(slots -> atOneRate(slots, ends)).toList(),
        obstacle,
        packets,
        dropped);
  }

  private static long[] ends(RequestTable requests) {
    long[] ends = new long[requests.size()];
    Arrays.setAll(ends, requests::departureNanos);
    Arrays.sort(ends);
    return ends;
  }

  /**
   * The cores that each slot's pages would have kept busy at the mean rate of all: slots with more
   * pages take more, whoever watches.
   */
  private double[] atOneRate(List<MachineSlot> slots, long[] ends) {
    double seconds = 0;
    double pages = 0;
    for (List<MachineSlot> list : machine) {
      for (MachineSlot slot : list) {
        seconds += (slot.toNanos() - slot.fromNanos()) / 1e9;
        pages += count(slot, ends);
      }
    }
    double rate = pages / seconds;
    return slots.stream()
        .mapToDouble(slot -> slot.busySeconds() / Math.max(1, count(slot, ends)) * rate)
        .toArray();
  }

  private static int count(MachineSlot slot, long[] ends) {
    return place(ends, slot.toNanos()) - place(ends, slot.fromNanos());
  }

  private static int place(long[] ascending, long value) {
    int found = Arrays.binarySearch(ascending, value);
    return found >= 0 ? found : -found - 1;
  }

  @Override
  public void phase(TrialPhase phase) {
    if (phase == TrialPhase.RUN && !started) {
      started = true;
      Thread.ofPlatform().daemon().name("watching in turns").start(this::turns);
    }
  }

  private void turns() {
    try {
      List<Long> processes = ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
      Random random = new Random(context.study().seed());
      List<Way> order = new ArrayList<>(List.of(Way.values()));
      for (int round = 0; round < parameters.slots(); round++) {
        Collections.shuffle(order, random);
        for (Way way : order) {
          slot(way, processes);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TerraceException | UncheckedIOException e) {
      obstacle = String.valueOf(e.getMessage());
    } finally {
      done.countDown();
    }
  }

  private void slot(Way way, List<Long> processes) throws InterruptedException {
    try (Watching watching = watching(way, processes)) {
      long ownBefore = ownNanos();
      long ticksBefore = busyTicks();
      long from = context.time().epochNanos();
      long start = context.time().elapsedNanos();
      long end = start + parameters.slot().toNanos();
      for (long left = end - start; left > 0; left = end - context.time().elapsedNanos()) {
        LockSupport.parkNanos(left);
      }
      double length = context.time().elapsedNanos() - start;
      double ticks = busyTicks() - ticksBefore;
      own.get(way.ordinal()).add((ownNanos() - ownBefore) / length);
      machine
          .get(way.ordinal())
          .add(new MachineSlot(from, from + (long) length, ticks / ProcessStat.TICKS_PER_SECOND));
      watching.count();
    }
  }

  /** A way of watching while it is on. */
  private interface Watching extends AutoCloseable {
    default void count() {}

    @Override
    void close();
  }

  private Watching watching(Way way, List<Long> processes) {
    return switch (way) {
      case NONE -> () -> {};
      case PASSIVE -> new Packets();
      case SECOND -> sampling(Duration.ofSeconds(1), processes);
      case TENTH -> sampling(Duration.ofMillis(100), processes);
      case FIFTIETH -> sampling(Duration.ofMillis(20), processes);
    };
  }

  private Watching sampling(Duration interval, List<Long> processes) {
    List<ResourceMonitor.Target> targets =
        processes.stream()
            .map(pid -> new ResourceMonitor.Target("process-" + pid, 1, () -> List.of(pid)))
            .toList();
    ResourceMonitor monitor = new ResourceMonitor(targets, interval, context.time());
    return monitor::close;
  }

  /** The capture of the servers' packets, as a trial makes it. */
  private final class Packets implements Watching {
    private final PacketCapture capture;

    Packets() {
      String network = context.study().network();
      String[] networks =
          List.of(1, 2, 4, 9).stream()
              .map(tier -> network + "." + tier + ".0/24")
              .toArray(String[]::new);
      capture =
          PacketCapture.open(
              CaptureOptions.to(context.folder("watching").resolve("slot.pcapng"))
                  .withFilter(CaptureFilter.networks(networks)));
    }

    @Override
    public void count() {
      packets += capture.counts().written();
      dropped += capture.counts().dropped();
    }

    @Override
    public void close() {
      capture.close();
      try {
        Files.deleteIfExists(capture.output());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static long ownNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** The time in which the machine's processors worked, interrupts among it. */
  private static long busyTicks() {
    try {
      StringTokenizer fields = new StringTokenizer(Files.readAllLines(STAT).getFirst());
      fields.nextToken();
      long busy = 0;
      for (int field = 0; field < TICK_FIELDS && fields.hasMoreTokens(); field++) {
        long ticks = Long.parseLong(fields.nextToken());
        busy += field == IDLE || field == IO_WAIT ? 0 : ticks;
      }
      return busy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
