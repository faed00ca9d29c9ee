package org.terrace.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import org.terrace.hosts.files.AgentFolder;

/** The process that is the agent of a host. */
public final class AgentProgram {
  private AgentProgram() {}

  /**
   * Serves on standard input and output until the input ends.
   *
   * @param arguments the folder for files of the trial; none: one of its own, which it deletes
   */
  public static void main(String[] arguments) throws IOException {
    InputStream in = System.in;
    OutputStream out = System.out;
    // What a library prints must not stand among the messages.
    System.setOut(System.err);
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    if (arguments.length > 0) {
      Agent.serve(in, out, Path.of(arguments[0]).toAbsolutePath().normalize(), temporary);
    } else {
      try (AgentFolder folder = AgentFolder.in(temporary)) {
        Agent.serve(in, out, folder.path(), folder.data());
      }
    }
    System.exit(0);
  }
}
