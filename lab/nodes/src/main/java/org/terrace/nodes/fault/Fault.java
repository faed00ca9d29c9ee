package org.terrace.nodes.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.terrace.observation.Server;

/** A disturbance made on purpose, once or again and again. Immutable. */
public sealed interface Fault {

  /** The server it strikes, for example {@code app1}. */
  String server();

  /** The schedule by which it strikes. */
  Schedule schedule();

  /** The time for which the server is held by it; empty when it does not recover by itself. */
  default Optional<Duration> length() {
    return switch (this) {
      case Kill kill -> kill.restart();
      case Pause pause -> Optional.of(pause.stopped());
      case GarbagePressure pressure -> Optional.of(pressure.lasting());
      case ProcessorLoad load -> Optional.of(load.lasting());
      case ProcessorPressure pressure -> Optional.of(pressure.lasting());
      case MemoryPressure pressure -> Optional.of(pressure.lasting());
      case LockConvoy convoy -> Optional.of(convoy.lasting());
      case RowLock locked -> Optional.of(locked.lasting());
      case Checkpoint _ -> Optional.of(Duration.ZERO);
      case SynDrop drop -> Optional.of(drop.lasting());
      case Network network -> Optional.of(network.lasting());
      case SlowDisk slow -> Optional.of(slow.lasting());
      case Burst burst -> Optional.of(burst.lasting());
    };
  }

  /** The word for it in a specification. */
  default String word() {
    return switch (this) {
      case Kill _ -> "kill";
      case Pause _ -> "pause";
      case GarbagePressure _ -> "gc-pressure";
      case ProcessorLoad _, ProcessorPressure _ -> "cpu";
      case MemoryPressure _ -> "memory";
      case LockConvoy _ -> "lock-convoy";
      case RowLock _ -> "row-lock";
      case Checkpoint _ -> "checkpoint";
      case SynDrop _ -> "syn-drop";
      case Network network -> network.effect().word();
      case SlowDisk _ -> "slow-disk";
      case Burst _ -> "burst";
    };
  }

  /**
   * Moments of the run.
   *
   * @param at the first one, from the start of the run
   * @param every the time from one to the next; zero when there is only one
   * @param count how many there are, 1 or more
   */
  record Schedule(Duration at, Duration every, int count) {
    /** Checks the ranges. */
    public Schedule {
      if (at.isNegative() || count < 1 || every.isNegative() || (count > 1 && every.isZero())) {
        throw new IllegalArgumentException(at + " every " + every + ", " + count + " times");
      }
    }

    /** A single moment. */
    public static Schedule once(Duration at) {
      return new Schedule(at, Duration.ZERO, 1);
    }

    /** All moments in order, from the start of the run. */
    public List<Duration> moments() {
      List<Duration> moments = new ArrayList<>(count);
      for (int index = 0; index < count; index++) {
        moments.add(at.plus(every.multipliedBy(index)));
      }
      return moments;
    }
  }

  /**
   * SIGKILL of all processes of a server.
   *
   * @param restart the time from the kill until the server is started again; empty leaves it dead
   */
  record Kill(String server, Schedule schedule, Optional<Duration> restart) implements Fault {}

  /**
   * SIGSTOP of all processes of a server, and SIGCONT afterwards: a hang.
   *
   * @param stopped the time between the two
   */
  record Pause(String server, Schedule schedule, Duration stopped) implements Fault {}

  /**
   * Garbage made inside an application server, so that its collector has to work.
   *
   * @param lasting for how long garbage is made
   * @param livePart the part of the free heap that stays alive meanwhile, above 0 and below 1
   */
  record GarbagePressure(String server, Schedule schedule, Duration lasting, double livePart)
      implements Fault {
    /** The part that stays alive where nothing else was said. */
    public static final double USUAL_PART = 0.5;

    /** Pressure with half of the free heap alive. */
    public GarbagePressure(String server, Schedule schedule, Duration lasting) {
      this(server, schedule, lasting, USUAL_PART);
    }
  }

  /**
   * Work without a purpose on every processor that an application server may use.
   *
   * @param lasting for how long it works
   */
  record ProcessorLoad(String server, Schedule schedule, Duration lasting) implements Fault {}

  /**
   * Work without a purpose beside a server, within the limit of processor time that it has.
   *
   * @param lasting for how long it works
   */
  record ProcessorPressure(String server, Schedule schedule, Duration lasting) implements Fault {}

  /**
   * Memory that is taken beside a server, within the limit of memory that it has.
   *
   * @param lasting for how long it is kept
   * @param share the part of the limit, above 0 and below 1, that the server and what is taken come
   *     to together, pages of files left out
   */
  record MemoryPressure(String server, Schedule schedule, Duration lasting, double share)
      implements Fault {
    /** The share where nothing else was said. */
    public static final double USUAL_SHARE = 0.9;
  }

  /**
   * A lock that all pages of an application server pass one after the other.
   *
   * @param lasting for how long they have to
   */
  record LockConvoy(String server, Schedule schedule, Duration lasting) implements Fault {}

  /**
   * A transaction that holds the rows of a board's stories and members in a database server, so
   * that whoever comments on a story or rates a writer waits.
   *
   * @param lasting for how long it holds them
   */
  record RowLock(String server, Schedule schedule, Duration lasting) implements Fault {}

  /**
   * Pages of a database made dirty, and a checkpoint that has to write them. It lasts as long as it
   * takes.
   *
   * @param dirtyBytes how much is made dirty, zero or more
   */
  record Checkpoint(String server, Schedule schedule, long dirtyBytes) implements Fault {}

  /**
   * Connections to a server that are asked for in vain: the kernel drops what opens one.
   *
   * @param lasting for how long they are
   */
  record SynDrop(String server, Schedule schedule, Duration lasting) implements Fault {}

  /**
   * Packets of a server that the kernel drops or delays.
   *
   * @param lasting for how long it does
   * @param effect which of them
   */
  record Network(String server, Schedule schedule, Duration lasting, NetworkEffect effect)
      implements Fault {}

  /**
   * Storage that takes less from a database server than it can.
   *
   * @param lasting for how long it does
   * @param bytesPerSecond how much it takes and gives a second
   */
  record SlowDisk(String server, Schedule schedule, Duration lasting, long bytesPerSecond)
      implements Fault {}

  /**
   * Users who are in a hurry together. Their own process keeps to it.
   *
   * @param lasting for how long they are
   * @param factor how many times faster than at other times
   */
  record Burst(Schedule schedule, Duration lasting, double factor) implements Fault {
    @Override
    public String server() {
      return Server.CLIENTS;
    }
  }
}
