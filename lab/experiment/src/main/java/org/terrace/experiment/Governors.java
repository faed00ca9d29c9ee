package org.terrace.experiment;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.core.TimeSource;
import org.terrace.nodes.machine.ControlGroup;
import org.terrace.nodes.machine.GovernorEmulation;
import org.terrace.nodes.machine.HostClockWatch;
import org.terrace.nodes.machine.HostFrequency;
import org.terrace.observation.Event;

/**
 * The frequency governors of a trial's servers: the machine's own where it lets its clock be
 * controlled, and an emulation elsewhere. Confined to one thread.
 */
final class Governors implements AutoCloseable {
  private final List<GovernorEmulation> emulations = new ArrayList<>();
  private final List<String> pinned = new ArrayList<>();
  private final List<HostClockWatch> watches = new ArrayList<>();
  private final Deployment deployment;
  private final Optional<HostFrequency> host;
  private final TrialListener listener;
  private final TimeSource time;

  /** The governors that an experiment asks for, of which none has started. */
  Governors(Experiment experiment, Deployment deployment, TrialListener listener, TimeSource time) {
    this.deployment = deployment;
    this.listener = listener;
    this.time = time;
    this.host = HostFrequency.ofThisMachine();
    Map<String, ControlGroup> groups = deployment.groups();
    for (Tier tier : Tier.values()) {
      for (int number = 1; number <= experiment.topology().count(tier); number++) {
        Optional<Duration> interval = experiment.governor(tier, number);
        String server = tier.serverName(number);
        ControlGroup group = groups.get(server);
        if (interval.isEmpty()) {
          continue;
        }
        if (host.isPresent()) {
          pinned.add(server);
        } else if (group == null) {
          listener.warning(
              server + " runs without a governor, since its processor time cannot be limited here");
        } else {
          emulations.add(
              new GovernorEmulation(
                  server,
                  group,
                  experiment.cpuLimit(tier, number).orElseThrow(),
                  () -> deployment.node(server).members(),
                  interval.get(),
                  time));
        }
      }
    }
  }

  /** Starts them; the servers run with their limits in force. */
  void start() {
    emulations.forEach(GovernorEmulation::start);
    host.ifPresent(frequency -> {
      try {
        for (String server : pinned) {
          pin(server, frequency.processor());
          watches.add(new HostClockWatch(server, frequency, time));
        }
        if (!pinned.isEmpty()) {
          frequency.follow();
        }
      } catch (IOException e) {
        listener.warning("the machine's clock cannot be controlled: " + e.getMessage());
      }
    });
  }

  private void pin(String server, int processor) throws IOException {
    for (long member : deployment.node(server).members()) {
      Process process =
          new ProcessBuilder("taskset", "-acp", Integer.toString(processor), Long.toString(member))
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      process.getInputStream().readAllBytes();
    }
  }

  /** The stretches in which a clock was below the fastest. */
  List<Event> events() {
    List<Event> events = new ArrayList<>();
    emulations.forEach(emulation -> events.addAll(emulation.events()));
    watches.forEach(watch -> events.addAll(watch.events()));
    return events;
  }

  @Override
  public void close() {
    end();
  }

  /** Gives every server its fastest clock, and the machine its own governor. */
  void end() {
    emulations.forEach(GovernorEmulation::close);
    watches.forEach(HostClockWatch::close);
    host.filter(_ -> !pinned.isEmpty())
        .ifPresent(frequency -> {
          try {
            frequency.restore();
          } catch (IOException e) {
            listener.warning("the machine's clock was not given back: " + e.getMessage());
          }
        });
  }
}
