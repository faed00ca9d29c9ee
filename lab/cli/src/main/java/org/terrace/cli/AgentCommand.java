package org.terrace.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.terrace.hosts.AgentProgram;
import picocli.CommandLine.Command;

/** {@code terrace agent}: serves a runner of experiments on this host. */
@Command(
    name = "agent",
    hidden = true,
    description = {
      "Serves a runner of experiments on this host, on standard input and output.",
      "'terrace run --target ssh' and '--target namespaces' start it by themselves. It starts and",
      "watches servers, limits, breaks and captures for whoever is at the other end of the pipe,",
      "listens nowhere, and when the pipe ends, or nothing is heard for a minute, ends all that it",
      "started within ten seconds."
    },
    footer = {
      "",
      "Examples:",
      "  ssh one.example terrace agent",
      "  terrace run experiments/quickstart.yaml --target ssh --hosts hosts.yaml"
    })
final class AgentCommand implements Callable<Integer> {
  @Override
  public Integer call() throws IOException {
    AgentProgram.main(new String[0]);
    return 0;
  }
}
