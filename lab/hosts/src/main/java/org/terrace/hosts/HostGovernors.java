package org.terrace.hosts;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ProcessStat;
import org.terrace.hosts.network.SystemCommand;
import org.terrace.nodes.machine.ControlGroup;
import org.terrace.nodes.machine.GovernorEmulation;
import org.terrace.nodes.machine.HostClockWatch;
import org.terrace.nodes.machine.HostFrequency;
import org.terrace.nodes.machine.ProcessorBinding;
import org.terrace.nodes.monitor.KeptEvents;

/**
 * The frequency governors of a host's servers: the machine's own where it lets its clock be
 * controlled, and an emulation elsewhere. Confined to one thread, but for the commands of servers
 * that are started again.
 */
final class HostGovernors implements AutoCloseable {
  private final Map<String, GovernorEmulation> emulations = new TreeMap<>();
  private final List<WatchPlan.Watched> pinned = new ArrayList<>();
  private final Map<String, HostClockWatch> watches = new TreeMap<>();
  private final List<String> broken = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final Function<String, List<Long>> members;
  private final Optional<HostFrequency> host;
  private final TimeSource time;
  private final KeptEvents kept;
  private volatile boolean isStarted;

  /**
   * The governors that a watch asks for, of which none has started.
   *
   * @param groups the control groups of the servers that have one
   * @param members gives the processes of a node at the moment
   * @param host the control of the machine's own clock, where there is one
   * @param kept takes the stretches in which a clock was below the fastest
   */
  HostGovernors(
      WatchPlan plan,
      Map<String, ControlGroup> groups,
      Function<String, List<Long>> members,
      Optional<HostFrequency> host,
      TimeSource time,
      KeptEvents kept) {
    this.kept = kept;
    this.host = host;
    this.members = members;
    this.time = time;
    for (WatchPlan.Watched server : plan.servers()) {
      if (server.governor().isEmpty()) {
        continue;
      }
      Duration interval = server.governor().get();
      ControlGroup group = groups.get(server.name());
      if (host.isPresent()) {
        pinned.add(server);
      } else if (group == null) {
        warnings.add(
            server.name()
                + " runs without a governor, since its processor time cannot be limited here");
      } else {
        emulations.put(
            server.name(),
            new GovernorEmulation(
                server.name(),
                group,
                server.cores(),
                () -> members.apply(server.node()),
                interval,
                time,
                kept));
      }
    }
  }

  /** Starts them; the servers run with their limits in force. */
  void start() {
    isStarted = true; // what is started again from here on is bound from its start
    emulations.values().forEach(GovernorEmulation::start);
    host.ifPresent(frequency -> {
      try {
        for (WatchPlan.Watched server : pinned) {
          pin(server, frequency.processor());
          watches.put(server.name(), new HostClockWatch(server.name(), frequency, time, kept));
        }
        if (!pinned.isEmpty()) {
          frequency.follow();
        }
      } catch (IOException e) {
        broken.add(
            "the machine's clock cannot be controlled, so that it follows no governor: "
                + e.getMessage());
      }
    });
  }

  /** The command that starts a node again, bound to the processor of its governor if it has one. */
  List<String> command(String node, List<String> command) {
    return host.filter(_ -> isStarted && isPinned(node))
        .map(frequency -> ProcessorBinding.command(frequency.processor(), command))
        .orElse(command);
  }

  private boolean isPinned(String node) {
    return pinned.stream().anyMatch(server -> server.node().equals(node));
  }

  /** Looks, while the servers run, whether those with the machine's governor are where it is. */
  void checkBound() {
    host.filter(_ -> isStarted)
        .ifPresent(frequency -> pinned.forEach(server -> checkBound(server, frequency)));
  }

  private void checkBound(WatchPlan.Watched server, HostFrequency frequency) {
    members.apply(server.node()).stream()
        .flatMap(member -> ProcessorBinding.others(frequency.processor(), member).stream())
        .findFirst()
        .ifPresent(others ->
            broken.add(
                "%s might run on other processors (%s) than on %d, which has the clock that its governor decides on"
                    .formatted(server.name(), others, frequency.processor())));
  }

  private void pin(WatchPlan.Watched server, int processor) {
    for (long member : members.apply(server.node())) {
      try {
        SystemCommand.run(
            "bind %s to processor %d".formatted(server.name(), processor),
            "util-linux",
            "taskset",
            "-acp",
            Integer.toString(processor),
            Long.toString(member));
      } catch (TerraceException e) {
        if (ProcessStat.of(member).isPresent()) { // one that has ended needs no processor
          warnings.add(e.getMessage());
        }
      }
    }
  }

  /** The governors that could not be put in force, a sentence each. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** The governors and bounds that did not hold through the run, a sentence each. */
  List<String> limitsLost() {
    List<String> lost = new ArrayList<>(broken);
    emulations.forEach((server, governor) ->
        governor
            .failure()
            .ifPresent(why ->
                lost.add(
                    "the governor of %s ended before the run did, and left its limit as it was: %s"
                        .formatted(server, why))));
    return lost;
  }

  /** The clocks that were not read to the end of the run, a sentence each. */
  List<String> lost() {
    List<String> lost = new ArrayList<>();
    watches.forEach((server, watch) ->
        watch
            .failure()
            .ifPresent(why ->
                lost.add(
                    "the clock of %s was not read to the end of the run: %s"
                        .formatted(server, why))));
    return lost;
  }

  /** Gives every server its fastest clock, and the machine its own governor. */
  @Override
  public void close() {
    isStarted = false;
    emulations.values().forEach(GovernorEmulation::close);
    watches.values().forEach(HostClockWatch::close);
    host.filter(_ -> !pinned.isEmpty())
        .ifPresent(frequency -> {
          try {
            frequency.restore();
          } catch (IOException e) {
            warnings.add("the machine's clock was not given back: " + e.getMessage());
          }
        });
  }
}
