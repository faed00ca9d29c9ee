package org.terrace.mesh;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.hosts.SshHost;
import org.terrace.hosts.Target;

/**
 * The hosts of a mesh's servers as they were when the keys of trials were made: each is asked again
 * around a trial, by one short connection, which reads the programs of servers there. Immutable.
 */
final class ProbedHosts {
  /** No hosts but this machine, whose programs are files that are looked at. */
  static final ProbedHosts NONE =
      new ProbedHosts(Map.of(), _ -> new ProbedHost("", Map.of(), Map.of(), ""));

  private final Map<SshHost, ProbedHost> hosts;
  private final Function<SshHost, ProbedHost> probe;

  private ProbedHosts(Map<SshHost, ProbedHost> hosts, Function<SshHost, ProbedHost> probe) {
    this.hosts = hosts;
    this.probe = probe;
  }

  /**
   * Asks some hosts.
   *
   * @throws TerraceException if one cannot be reached
   */
  static ProbedHosts of(Target.Ssh target, Collection<SshHost> hosts) {
    Map<SshHost, ProbedHost> probed = new LinkedHashMap<>();
    hosts.forEach(host -> probed.put(host, ProbedHost.of(target, host)));
    return new ProbedHosts(probed, host -> ProbedHost.of(target, host));
  }

  /** The hosts as they were found. */
  Map<SshHost, ProbedHost> all() {
    return hosts;
  }

  /**
   * Checks that all hosts are as they were.
   *
   * @param isAsked whether each has to answer; otherwise one that does not is left to the trial
   *     that needs it, which says why it failed
   * @throws TerraceException if one is not as it was, or has to answer and does not
   */
  void requireUnchanged(boolean isAsked) {
    hosts.forEach((host, before) -> {
      ProbedHost now;
      try {
        now = probe.apply(host);
      } catch (TerraceException e) {
        if (isAsked) {
          throw e;
        }
        return;
      }
      change(before, now)
          .ifPresent(what -> {
            throw new TerraceException(
                ErrorCode.CHECK_FAILED,
                "the host %s has changed since the mesh began (%s): the trial under way does not count, as trials of two programs or machines are not mixed; run the command again, which runs every trial of the changed host"
                    .formatted(host.name(), what));
          });
    });
  }

  /** The difference between two looks at a host in words; empty if there is none. */
  private static Optional<String> change(ProbedHost before, ProbedHost now) {
    if (!before.machine().equals(now.machine())) {
      return Optional.of("it was " + before.machine() + ", and is " + now.machine());
    }
    return before.programs().equals(now.programs())
        ? Optional.empty()
        : Optional.of("the programs of " + changed(before, now));
  }

  private static String changed(ProbedHost before, ProbedHost now) {
    Map<String, String> all = new TreeMap<>(before.programs());
    all.putAll(now.programs());
    all.keySet()
        .removeIf(name ->
            before.programs().getOrDefault(name, "").equals(now.programs().getOrDefault(name, "")));
    return String.join(", ", all.keySet());
  }
}
