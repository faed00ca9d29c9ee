package org.terrace.hosts;

import java.nio.file.Path;

/**
 * The places of the programs of a trial on a host. Immutable.
 *
 * @param java the program {@code java}
 * @param lab the class path of the lab: the users, the agent
 * @param proxy the class path of the reverse proxy
 * @param board the class path of the board
 */
public record ProgramPaths(Path java, String lab, String proxy, String board) {}
