package org.terrace.cluster.controller;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.Socket;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The signs of life of this program's connections to controllers, from one thread, which ends when
 * there are no connections. It is none of the virtual ones: a program that keeps those busy would
 * be taken for dead. A connection that the program has lost sight of is closed, and so sends no
 * more. Thread-safe.
 */
final class Heartbeats {
  private static final int IDLE_SECONDS = 10;
  private static final ScheduledThreadPoolExecutor BEATS = beats();

  private Heartbeats() {}

  private static ScheduledThreadPoolExecutor beats() {
    ScheduledThreadPoolExecutor beats =
        new ScheduledThreadPoolExecutor(
            1,
            Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("terrace-controller-beats")
                .factory());
    beats.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    beats.allowCoreThreadTimeOut(true);
    beats.setRemoveOnCancelPolicy(true);
    return beats;
  }

  /** Lets a connection send signs of life until it is cancelled, or nobody has the connection. */
  static Future<?> begin(ControllerLink link, Socket socket, long everyMillis) {
    Beat beat = new Beat(new WeakReference<>(link), socket);
    Future<?> begun =
        BEATS.scheduleWithFixedDelay(beat, everyMillis, everyMillis, TimeUnit.MILLISECONDS);
    beat.begun(begun);
    return begun;
  }

  private static final class Beat implements Runnable {
    private final WeakReference<ControllerLink> link;
    private final Socket socket;
    private volatile @Nullable Future<?> own;

    Beat(WeakReference<ControllerLink> link, Socket socket) {
      this.link = link;
      this.socket = socket;
    }

    void begun(Future<?> future) {
      own = future;
    }

    @Override
    public void run() {
      ControllerLink living = link.get();
      if (living != null) {
        living.beat();
        return;
      }
      Future<?> future = own;
      if (future != null) {
        future.cancel(false);
      }
      try {
        socket.close();
      } catch (IOException e) {
        // What cannot be closed is gone already.
      }
    }
  }
}
