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
    AgentFolder own = AgentFolder.inTemporary();
    Path folder =
        arguments.length > 0 ? Path.of(arguments[0]).toAbsolutePath().normalize() : own.path();
    Agent.serve(in, out, folder, own);
    System.exit(0);
  }
}
