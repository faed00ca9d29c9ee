package org.terrace.hosts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;

/**
 * A server of ssh in this process, which runs commands as this user, and a key and a list of known
 * hosts for the {@code ssh} of the system.
 */
final class EmbeddedSsh implements AutoCloseable {
  private final Path folder;
  private final SshServer server;

  /**
   * Starts the server on a free port of loopback.
   *
   * @param folder the folder of keys
   * @param cache the folder in which hosts keep the programs that they were brought
   */
  EmbeddedSsh(Path folder, Path cache) throws Exception {
    this(folder, cache, List.of("sh"));
  }

  /**
   * The same with another shell, or for hosts of which each is more than a shell of this machine.
   *
   * @param shell the shell that runs a command, with words before it
   */
  EmbeddedSsh(Path folder, Path cache, List<String> shell) throws Exception {
    this.folder = folder;
    run("ssh-keygen", "-q", "-t", "ecdsa", "-N", "", "-f", folder.resolve("key").toString());
    String[] known = Files.readString(folder.resolve("key.pub")).split(" ", -1);
    server = SshServer.setUpDefaultServer();
    server.setHost("127.0.0.1");
    server.setPort(0);
    SimpleGeneratorHostKeyProvider keys =
        new SimpleGeneratorHostKeyProvider(folder.resolve("host-key"));
    keys.setAlgorithm("EC");
    keys.setKeySize(256);
    server.setKeyPairProvider(keys);
    server.setPublickeyAuthenticator(
        (user, key, session) -> PublicKeyEntry.toString(key).equals(known[0] + " " + known[1]));
    server.setCommandFactory(
        (channel, command) -> new ShellCommand(shell, cache.toString(), command));
    server.start();
    KeyPair own = keys.loadKeys(null).iterator().next();
    writeKnownHosts(PublicKeyEntry.toString(own.getPublic()));
  }

  /** Writes down the key by which the server is known. */
  void writeKnownHosts(String key) throws IOException {
    Files.writeString(
        folder.resolve("known_hosts"),
        "[127.0.0.1]:%d %s%n".formatted(server.getPort(), key),
        StandardCharsets.US_ASCII);
  }

  /** The command by which the system's ssh reaches it, and nothing of the user's own. */
  List<String> command() {
    return command("/dev/null");
  }

  /** The same with a configuration of the user's own. */
  List<String> command(String configuration) {
    return List.of(
        "ssh",
        "-F",
        configuration,
        "-p",
        Integer.toString(server.getPort()),
        "-i",
        folder.resolve("key").toString(),
        "-o",
        "IdentitiesOnly=yes",
        "-o",
        "StrictHostKeyChecking=yes",
        "-o",
        "UserKnownHostsFile=" + folder.resolve("known_hosts"));
  }

  @Override
  public void close() throws IOException {
    server.stop(true);
  }

  private static void run(String... words) throws Exception {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(String.join(" ", words) + ": " + output);
    }
  }
}
