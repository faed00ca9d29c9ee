package org.terrace.hosts;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ShortCommand;
import org.terrace.hosts.files.HostFiles;
import org.terrace.hosts.files.ProgramTransfer;

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

  /** The time in which a host that is brought programs has to take some of them. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The time in which a host is reached and has read the programs that it has installed. */
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(60);

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
   * @param progress told how much of the programs the host has taken, in lines
   */
  static SshAgent open(
      SshHost host,
      List<String> ssh,
      ProgramPaths local,
      HostFacts here,
      TimeSource time,
      Consumer<String> progress) {
    return open(host, ssh, local, here, time, progress, PATIENCE);
  }

  /**
   * Opens an agent, with patience for the programs that a host is brought.
   *
   * @param patience the time in which a host that is brought programs has to take some of them
   */
  static SshAgent open(
      SshHost host,
      List<String> ssh,
      ProgramPaths local,
      HostFacts here,
      TimeSource time,
      Consumer<String> progress,
      Duration patience) {
    AgentLine line = AgentLine.start(host.name(), command(host, ssh, remoteCommand()));
    try {
      begin(line, host.java());
      Path cache = Path.of(line.awaitLine(HOST).substring(HOST.length()));
      requireJava(host, line.awaitLine(JAVA).substring(JAVA.length()));
      HostFiles files = new HostFiles(List.of(local.lab(), local.proxy(), local.board()));
      new ProgramTransfer(host.name(), line, files.all(), patience, progress, time).run();
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
          "the connection to the host %s broke: %s%s"
              .formatted(host.name(), e.getMessage(), line.lastWords()),
          e);
    } catch (RuntimeException e) {
      line.close(1);
      throw e;
    }
  }

  /** The command on this machine by which a host runs a command. */
  private static List<String> command(SshHost host, List<String> ssh, String remote) {
    List<String> command = new ArrayList<>(ssh);
    command.addAll(OPTIONS);
    command.addAll(List.of("--", host.destination(), remote));
    return command;
  }

  /**
   * The output of a script that the host's {@code sh} runs, greetings included. Nothing is brought
   * there.
   *
   * @throws TerraceException if the host cannot be reached, or the script fails
   */
  static String answer(SshHost host, List<String> ssh, String script) {
    ShortCommand.Result result;
    try {
      result =
          ShortCommand.of(command(host, ssh, "exec sh"))
              .withInput(script)
              .withWithin(ANSWERED_WITHIN)
              .run();
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the host %s cannot be asked what it is: %s".formatted(host.name(), e.getMessage()),
          e);
    }
    if (!result.isSuccess()) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the host %s cannot be asked what it is: %s: %s"
              .formatted(host.name(), result.failure(), result.output().strip()));
    }
    return result.output();
  }

  private static void begin(AgentLine line, String java) {
    try {
      line.input().write(firstWords(java, ""));
      line.input().flush();
    } catch (IOException e) {
      assert e != null; // it has ended, which whoever waits for its answer is told with the reason
    }
  }

  /**
   * The command that reads a script of some length and becomes it. The shell of the user there may
   * be any, csh and fish among them: all take these words for the same, without a line break, a
   * backslash, an exclamation mark or a quotation mark within the quoted ones.
   */
  static String remoteCommand() {
    return "exec sh -c 'eval \"$(head -c %d)\"' terrace-host".formatted(script().length);
  }

  /**
   * The input with which the command begins: the script, and its two words.
   *
   * @param java the program {@code java} there, or nothing
   * @param cache the folder of programs there, or nothing
   */
  static byte[] firstWords(String java, String cache) {
    ByteArrayOutputStream words = new ByteArrayOutputStream();
    words.writeBytes(script());
    words.writeBytes((java + "\n" + cache + "\n").getBytes(StandardCharsets.UTF_8));
    return words.toByteArray();
  }

  private static byte[] script() {
    try (InputStream stream = SshAgent.class.getResourceAsStream("bootstrap.sh")) {
      return Objects.requireNonNull(stream).readAllBytes();
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

  /** The options of the JVM travel as one word, without blanks. */
  private static void run(AgentLine line, String classpath) throws IOException {
    ProgramTransfer.tell(
        line.process().getOutputStream(),
        "run %s %s %s"
            .formatted(
                String.join(",", NamespaceAgents.OPTIONS),
                AgentProgram.class.getName(),
                classpath));
  }
}
