package org.terrace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/** {@code terrace database}: a look at the servers of a clustered database from outside. */
@Command(
    name = "database",
    description = {
      "Shows and compares the servers of a clustered database, and adds or removes one.",
      "The cluster may serve meanwhile; its owner is asked to add or remove.",
      "The password is taken from TERRACE_DATABASE_PASSWORD."
    },
    footer = {
      "",
      "Examples:",
      "  terrace database status jdbc:terrace:postgresql://a,b,c/shop --user shop",
      "  terrace database verify jdbc:terrace:mariadb://a,b,c/shop --user shop --json",
      "  terrace database add jdbc:terrace:postgresql://a,b/shop c:5432 --user shop"
    },
    synopsisSubcommandLabel = "(status | verify | add | remove)")
final class DatabaseCommand {
  private static final List<String> OWN_OPTIONS = List.of("-XX:+UseSerialGC");
  private static final String LIBRARIES = "apps/proof";
  private static final int END_SECONDS_MAX = 10;
  private static final String PROGRAM = "org.terrace.proof.InspectDatabase";

  @Option(
      names = "--user",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "the account, the same at all servers")
  private String user = "";

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "the same as terrace-database/1 on standard output")
  private boolean json;

  @Option(
      names = "--quiet",
      scope = ScopeType.INHERIT,
      description = "no messages and no progress, only errors")
  private boolean quiet;

  @Command(
      name = "status",
      description = {
        "Shows of each server its position, the owner of the cluster and who was active last.",
        "Exit code 1 if one does not answer, is behind, or is not to be trusted."
      },
      footer = {"", "Example:", "  terrace database status jdbc:terrace:postgresql://a,b/shop"})
  int status(@Parameters(paramLabel = "URL", description = "the cluster's URL") String url)
      throws IOException, InterruptedException {
    return inspect("status", url);
  }

  @Command(
      name = "verify",
      description = {
        "Compares every table of every server with the first's, and names the rows that differ.",
        "Exit code 1 if any does."
      },
      footer = {"", "Example:", "  terrace database verify jdbc:terrace:postgresql://a,b/shop"})
  int verify(@Parameters(paramLabel = "URL", description = "the cluster's URL") String url)
      throws IOException, InterruptedException {
    return inspect("verify", url);
  }

  @Command(
      name = "add",
      description = {
        "Asks the owner of the cluster to add a server, which then gets the data of the others."
      },
      footer = {"", "Example:", "  terrace database add jdbc:terrace:postgresql://a,b/shop c:5432"})
  int add(
      @Parameters(paramLabel = "URL", description = "the cluster's URL") String url,
      @Parameters(paramLabel = "SERVER", description = "host:port of the one to add") String server)
      throws IOException, InterruptedException {
    return inspect("add", url, server);
  }

  @Command(
      name = "remove",
      description = {
        "Asks the owner of the cluster to remove a server, active or not. Its data stay there."
      },
      footer = {
        "",
        "Example:",
        "  terrace database remove jdbc:terrace:postgresql://a,b,c/shop c:5432"
      })
  int remove(
      @Parameters(paramLabel = "URL", description = "the cluster's URL") String url,
      @Parameters(paramLabel = "SERVER", description = "host:port of the one to remove")
          String server)
      throws IOException, InterruptedException {
    return inspect("remove", url, server);
  }

  private int inspect(String what, String url, String... more)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(Home.javaCommand(LIBRARIES, OWN_OPTIONS, PROGRAM));
    command.addAll(List.of(what, url, user));
    command.addAll(List.of(more));
    if (json) {
      command.add("--json");
    }
    return Subprogram.run(command, quiet, END_SECONDS_MAX);
  }
}
