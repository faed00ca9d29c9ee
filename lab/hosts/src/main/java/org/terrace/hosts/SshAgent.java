package org.terrace.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.hosts.files.HostFiles;
import org.terrace.hosts.files.HostFiles.Archive;

/**
 * The agent of a host that the user's own {@code ssh} leads to: one connection, on which a short
 * script first takes the programs that the host does not have yet and then becomes the agent.
 * Immutable.
 *
 * @param programs the programs there
 */
record SshAgent(ServerHost host, ProgramPaths programs) {
  private static final int JAVA_FEATURE = 25;
  private static final Pattern VERSION = Pattern.compile("^\\S+ (\\d{1,4})(?:[ .+-].*)?");
  private static final String HOST = "terrace-host 1 ";
  private static final String JAVA = "terrace-java ";

  /**
   * Options that a user's own go before. Keys and known hosts are ssh's affair; nobody is there to
   * be asked for a password; a connection that is dead is to be known as such; a terminal would
   * change the messages; and nothing is to listen or be lent to the host on its account.
   */
  private static final List<String> OPTIONS =
      List.of(
          "-o", "BatchMode=yes",
          "-o", "ConnectTimeout=20",
          "-o", "ServerAliveInterval=5",
          "-o", "ServerAliveCountMax=3",
          "-o", "RequestTTY=no",
          "-o", "ClearAllForwardings=yes",
          "-o", "ForwardAgent=no",
          "-o", "ForwardX11=no");

  /**
   * Reaches the host, brings it what it lacks, and starts its agent.
   *
   * @param ssh the program and the user's options
   * @param local the programs on this machine
   * @param here this machine
   */
  static SshAgent open(
      SshHost host, List<String> ssh, ProgramPaths local, HostFacts here, TimeSource time) {
    List<String> command = new ArrayList<>(ssh);
    command.addAll(OPTIONS);
    command.addAll(List.of("--", host.destination(), remoteCommand(host.java(), "")));
    AgentLine line = AgentLine.start(host.name(), command);
    try {
      Path cache = Path.of(line.awaitLine(HOST).substring(HOST.length()));
      requireJava(host, line.awaitLine(JAVA).substring(JAVA.length()));
      HostFiles files = new HostFiles(List.of(local.lab(), local.proxy(), local.board()));
      bring(files, line);
      run(line, files.in(cache, local.lab()));
      HostFacts facts = line.awaitFacts();
      return new SshAgent(
          new AgentHost(host.name(), line, facts, here, false, time),
          new ProgramPaths(
              facts.java(),
              files.in(cache, local.lab()),
              files.in(cache, local.proxy()),
              files.in(cache, local.board())));
    } catch (IOException e) {
      line.close(1);
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the connection to the host %s broke: %s%s".formatted(host.name(), e, line.said()),
          e);
    } catch (RuntimeException e) {
      line.close(1);
      throw e;
    }
  }

  /** The script as one command of whatever shell the user has there. */
  static String remoteCommand(String java, String cache) {
    return "exec sh -c %s terrace-host %s %s"
        .formatted(quoted(script()), quoted(java), quoted(cache));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private static String script() {
    try (InputStream stream = SshAgent.class.getResourceAsStream("bootstrap.sh")) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void requireJava(SshHost host, String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.matches() || Integer.parseInt(matcher.group(1)) < JAVA_FEATURE) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the host %s has no Java %d or newer (%s says '%s'); install one there, or name it by 'java:' in the hosts file"
              .formatted(
                  host.name(),
                  JAVA_FEATURE,
                  host.java().isEmpty() ? "java" : host.java(),
                  version));
    }
  }

  private static void bring(HostFiles files, AgentLine line) throws IOException {
    OutputStream out = line.process().getOutputStream();
    for (Archive archive : files.all()) {
      tell(out, "want %s %d %s".formatted(archive.digest(), archive.bytes(), archive.name()));
    }
    tell(out, "listed");
    Set<String> needed = new HashSet<>();
    for (String said = line.messages().line();
        !"listed".equals(said);
        said = line.messages().line()) {
      if (said == null) {
        throw new IOException("it ended");
      }
      if (said.startsWith("need ")) {
        needed.add(said.substring("need ".length()));
      }
    }
    for (Archive archive : files.all()) {
      if (needed.contains(archive.digest())) {
        tell(out, "file %s %d %s".formatted(archive.digest(), archive.bytes(), archive.name()));
        Files.copy(archive.file(), out);
        out.flush();
      }
    }
  }

  private static void tell(OutputStream out, String text) throws IOException {
    out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** The options of the JVM travel as one word, without blanks. */
  private static void run(AgentLine line, String classpath) throws IOException {
    tell(
        line.process().getOutputStream(),
        "run %s %s %s"
            .formatted(
                String.join(",", NamespaceAgents.OPTIONS),
                AgentProgram.class.getName(),
                classpath));
  }
}
