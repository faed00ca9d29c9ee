package org.terrace.nodes.fault;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.nodes.Host;
import org.terrace.nodes.Launch;
import org.terrace.nodes.LocalHost;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Signal;

/** This machine as a host that lets no process go on which it has stopped. */
public final class StubbornHost implements Host {
  private final LocalHost host = new LocalHost();
  private final AtomicInteger refusals;

  /** A host that never lets anything go on. */
  public StubbornHost() {
    this(Integer.MAX_VALUE);
  }

  /** A host that does not let things go on so many times. */
  StubbornHost(int refusals) {
    this.refusals = new AtomicInteger(refusals);
  }

  @Override
  public String name() {
    return "stubborn";
  }

  @Override
  public Process start(Launch launch) throws IOException {
    return host.start(launch);
  }

  @Override
  public List<Long> members(Process process, boolean forks) {
    return host.members(process, forks);
  }

  @Override
  public boolean signal(Process process, boolean forks, Signal signal) {
    if (signal == Signal.CONT && refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new TerraceException(ErrorCode.MACHINE_LACKS, "this host lets nothing go on");
    }
    return host.signal(process, forks, signal);
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
