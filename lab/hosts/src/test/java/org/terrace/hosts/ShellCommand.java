package org.terrace.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;

/** A command that a client of {@link EmbeddedSsh} asks for, run by a shell of this user. */
final class ShellCommand implements Command {
  private final List<String> words;
  private final String cache;
  private InputStream in = InputStream.nullInputStream();
  private OutputStream out = OutputStream.nullOutputStream();
  private OutputStream errors = OutputStream.nullOutputStream();
  private Optional<ExitCallback> exit = Optional.empty();
  private Optional<Process> process = Optional.empty();

  /**
   * A command that has not started.
   *
   * @param shell the words before the option by which a shell takes a command
   * @param cache the folder in which the host keeps the programs that it was brought
   */
  ShellCommand(List<String> shell, String cache, String command) {
    List<String> all = new ArrayList<>(shell);
    all.addAll(List.of("-c", command));
    this.words = List.copyOf(all);
    this.cache = cache;
  }

  @Override
  public void setInputStream(InputStream stream) {
    in = stream;
  }

  @Override
  public void setOutputStream(OutputStream stream) {
    out = stream;
  }

  @Override
  public void setErrorStream(OutputStream stream) {
    errors = stream;
  }

  @Override
  public void setExitCallback(ExitCallback callback) {
    exit = Optional.of(callback);
  }

  @Override
  public void start(ChannelSession channel, Environment environment) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("TERRACE_CACHE", cache);
    Process started = builder.start();
    process = Optional.of(started);
    Thread.ofVirtual().start(() -> pump(in, started.getOutputStream(), true));
    Thread said = Thread.ofVirtual().start(() -> pump(started.getInputStream(), out, false));
    Thread complained =
        Thread.ofVirtual().start(() -> pump(started.getErrorStream(), errors, false));
    Thread.ofVirtual()
        .start(() -> {
          try {
            int status = started.waitFor();
            said.join();
            complained.join();
            exit.ifPresent(callback -> callback.onExit(status));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static void pump(InputStream from, OutputStream to, boolean close) {
    byte[] buffer = new byte[1 << 15];
    try {
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        to.write(buffer, 0, read);
        to.flush();
      }
      if (close) {
        to.close();
      }
    } catch (IOException e) {
      assert e != null; // one side is gone, which the other side learns by itself
    }
  }

  @Override
  public void destroy(ChannelSession channel) {
    // As sshd does: the command's input ends, and what it does then is its own affair.
    process.ifPresent(started -> {
      try {
        started.getOutputStream().close();
      } catch (IOException e) {
        assert e != null;
      }
    });
  }
}
