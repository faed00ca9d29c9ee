package org.terrace.nodes.fault;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.terrace.nodes.Host;
import org.terrace.nodes.Launch;
import org.terrace.nodes.LocalHost;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Signal;

/**
 * This machine as a host that starts and signals processes, and does not answer that it has before
 * it is told to, or much later.
 */
public final class LateHost implements Host {
  private static final long LATEST_SECONDS = 20;

  private final LocalHost host = new LocalHost();
  private final CountDownLatch answers = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final boolean startsLate;

  /**
   * @param startsLate whether what it starts is answered late as well
   */
  public LateHost(boolean startsLate) {
    this.startsLate = startsLate;
  }

  /** Gives all answers that it owes, and all others at once from now on. */
  public void answer() {
    answers.countDown();
  }

  /** The number of questions that it answers late. */
  public int asked() {
    return asked.get();
  }

  private <T> T late(T answer) {
    asked.incrementAndGet();
    try {
      var _ = answers.await(LATEST_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return answer;
  }

  @Override
  public String name() {
    return "late";
  }

  @Override
  public Process start(Launch launch) throws IOException {
    Process process = host.start(launch);
    return startsLate ? late(process) : process;
  }

  @Override
  public List<Long> members(Process process, boolean forks) {
    return host.members(process, forks);
  }

  @Override
  public boolean signal(Process process, boolean forks, Signal signal) {
    return late(host.signal(process, forks, signal));
  }

  @Override
  public void kill(Process process, boolean forks) {
    host.kill(process, forks);
  }

  @Override
  public boolean answers(Readiness.Port place) {
    return host.answers(place);
  }

  @Override
  public boolean answers(Readiness.Http place) {
    return host.answers(place);
  }

  @Override
  public List<String> listening(Process process, boolean forks) {
    return host.listening(process, forks);
  }
}
