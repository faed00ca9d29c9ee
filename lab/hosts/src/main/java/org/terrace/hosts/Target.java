package org.terrace.hosts;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.JavaCommand;

/** The place in which the servers of a trial run. */
public sealed interface Target {
  /** All on this machine, each at a loopback address of its own. */
  record Local() implements Target {}

  /** All on this machine, each in a network namespace of its own, which a bridge joins. */
  record Namespaces() implements Target {}

  /**
   * All on hosts that {@code ssh} leads to. Immutable.
   *
   * @param command the program {@code ssh} and options of the user's own, which win over Terrace's
   * @param hosts at least one
   */
  record Ssh(List<String> command, List<SshHost> hosts) implements Target {
    /** Copies the collections. */
    public Ssh {
      command = List.copyOf(command);
      hosts = List.copyOf(hosts);
      if (command.isEmpty() || hosts.isEmpty()) {
        throw new IllegalArgumentException("no command or no hosts");
      }
    }

    /**
     * The hosts on which some servers run, by the names of these, in their order.
     *
     * @throws TerraceException if a server has no host, or hosts contradict each other
     */
    public Map<String, SshHost> hostsOf(List<PlannedServer> servers) {
      Map<String, SshHost> named = new LinkedHashMap<>();
      SshPlacement.of(hosts, servers).forEach((server, host) -> named.put(server.name(), host));
      return named;
    }

    /**
     * The output of a script that a host's {@code sh} runs, with greetings and error messages.
     * Nothing is brought there.
     *
     * @throws TerraceException if the host cannot be reached, or the script fails
     */
    public String answer(SshHost host, String script) {
      return SshAgent.answer(host, command, script);
    }

    /**
     * All servers on this machine, reached by {@code ssh localhost}, with the Java of this process:
     * a shell of ssh may find another one, or none.
     */
    public static Ssh localhost() {
      String java = JavaCommand.program().toString();
      return new Ssh(
          List.of("ssh"),
          List.of(new SshHost("localhost", "localhost", "127.0.0.1", List.of(), java)));
    }
  }

  /**
   * Checks that the network of each server can be limited, which takes one of its own.
   *
   * @param limited the servers and tiers whose network is limited
   * @throws TerraceException if there are some and it cannot
   */
  default void requireNetworkLimits(Collection<String> limited) {
    if (!limited.isEmpty() && !(this instanceof Namespaces)) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the network of %s cannot be limited with the target %s: a limit holds, and is proved, where a server has a network of its own; run it with --target namespaces, or take 'network' out of the limits and node types"
              .formatted(String.join(", ", new TreeSet<>(limited)), word()));
    }
  }

  /** The word for it, as the option {@code --target} takes it. */
  default String word() {
    return switch (this) {
      case Local _ -> "local";
      case Namespaces _ -> "namespaces";
      case Ssh _ -> "ssh";
    };
  }
}
