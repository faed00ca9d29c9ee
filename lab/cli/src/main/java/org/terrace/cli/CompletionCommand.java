package org.terrace.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code terrace completion}: a script that lets a shell complete commands and options. */
@Command(
    name = "completion",
    description = "Prints a script with which bash and zsh complete commands and options.",
    footer = {
      "",
      "Examples:",
      "  source <(terrace completion)",
      "  terrace completion >~/.local/share/bash-completion/completions/terrace",
      "",
      "In zsh, autoload -U +X bashcompinit && bashcompinit comes first."
    })
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    System.out.println(AutoComplete.bash("terrace", spec.root().commandLine()));
    System.out.flush();
    return 0;
  }
}
