package org.terrace.specification;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.Node;
import org.terrace.hosts.SshHost;
import org.terrace.hosts.Target;
import org.terrace.nodes.LocalHost;

/**
 * The hosts of the target {@code ssh} in YAML: where {@code ssh} leads to, and who plays what
 * there. All that is wrong is reported at once, by line.
 */
public final class HostsFile {
  private static final int MOST_HOSTS = 400;
  private static final Pattern NAME = Pattern.compile("[a-z0-9]+([.-][a-z0-9]+)*");

  /** A destination of which neither the whole nor the host looks like an option. */
  private static final Pattern DESTINATION = Pattern.compile("(?!-|[^@]*@-)\\S{1,251}");

  private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

  /** One at which one host alone listens: not all addresses, nor one of a group. */
  private static final Pattern ADDRESS =
      Pattern.compile("(?!0\\.|22[4-9]\\.|2[3-5]\\d\\.)(" + OCTET + "\\.){3}" + OCTET);

  private static final Pattern SERVER =
      Pattern.compile("(web|app|middleware|database)([1-9]\\d?)?");
  private static final Pattern WORD = Pattern.compile("\\S.{0,998}");

  private HostsFile() {}

  /** The hosts in a file. */
  public static Target.Ssh read(Path file) {
    return read(file.toString(), SpecificationReader.text(file));
  }

  static Target.Ssh read(String name, String text) {
    return SpecificationReader.read(name, text, HostsFile::target);
  }

  private static Optional<Target.Ssh> target(Node root, Problems problems) {
    Optional<Fields> read = Fields.of(root, "the hosts file", problems);
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = read.get();
    fields.required("kind", Values.oneOf(Map.of("Hosts", true)));
    Optional<List<String>> command =
        fields.optional(
            "ssh", Values.list(Values.text(WORD, "a word of a command such as ssh or -F")));
    Optional<List<SshHost>> hosts = fields.required("hosts", HostsFile::hosts);
    fields.finish();
    if (command.isPresent() && command.get().isEmpty()) {
      problems.add(fields.keyNode("ssh"), "ssh has no word, expected a command such as [ssh]");
      return Optional.empty();
    }
    return hosts.map(all -> new Target.Ssh(command.orElse(List.of("ssh")), all));
  }

  private static Optional<List<SshHost>> hosts(Node node, String key, Problems problems) {
    Optional<Fields> read = Fields.of(node, "hosts", problems);
    if (read.isEmpty()) {
      return Optional.empty();
    }
    List<SshHost> hosts = new ArrayList<>(read.get().all(HostsFile::host).values());
    if (hosts.isEmpty() || hosts.size() > MOST_HOSTS) {
      problems.add(node, "hosts has " + hosts.size() + " entries, expected 1 to " + MOST_HOSTS);
      return Optional.empty();
    }
    return Optional.of(hosts);
  }

  private static Optional<SshHost> host(Node node, String name, Problems problems) {
    Optional<Fields> read = Fields.of(node, "the host " + name, problems);
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = read.get();
    if (!NAME.matcher(name).matches()) {
      problems.add(
          node, "'" + name + "' is no name of a host, expected small letters, digits, '-' and '.'");
    }
    if (name.equals(LocalHost.NAME)) {
      problems.add(node, "'" + name + "' is the name of this machine, give the host another");
    }
    Optional<String> destination =
        fields.required(
            "ssh", Values.text(DESTINATION, "what ssh is asked for, such as me@one.example"));
    Optional<String> address =
        fields.required(
            "address",
            Values.text(ADDRESS, "an IPv4 address of the host alone, such as 10.0.0.11"));
    Optional<List<String>> servers =
        fields.optional(
            "servers", Values.list(Values.text(SERVER, "a tier or a server, such as app or app1")));
    Optional<String> java =
        fields.optional("java", Values.text(WORD, "the program java on the host"));
    fields.finish();
    return destination.isEmpty() || address.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new SshHost(
                name,
                destination.get(),
                address.get(),
                servers.orElse(List.of()),
                java.orElse("")));
  }
}
