package org.terrace.control.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * A client of replication managers and their line protocol: a line of words goes out, a line of
 * JSON comes back. The connection to the manager that answered last is used again. Confined to one
 * thread.
 *
 * <p>Of the answers it reads what it needs to find the leader and to tell failures; the state of
 * the services is for its callers, who have a reader of JSON where they look into it.
 */
public final class ManagerClient implements AutoCloseable {
  private static final String STATE = "services";

  /** The manager's own part of a state, which stands before those of its services. */
  private static final Pattern LEADING = Pattern.compile("\"leading\":true\\b");

  private static final Pattern LEADER = Pattern.compile("\"leader\":\"([^\"\\\\]+)\"");

  /** An answer that is no state. */
  private static final Pattern MESSAGE =
      Pattern.compile("\\{\"(error|done)\":\"((?:[^\"\\\\]++|\\\\.)*+)\"}");

  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-f]{4})|(.))");
  private static final String SERVICES = "\"services\":";

  private static final int SHOWN_CHARACTERS = 100;

  private final List<String> addresses;
  private final int patienceMillis;
  private @Nullable Connection last;

  /** A connection to one manager. */
  private record Connection(String address, Socket socket, BufferedReader in) {}

  /**
   * A client that has not connected yet.
   *
   * @param addresses where managers answer, each as {@code host:port}; any of them will do
   * @param patience how long a manager may take to be reached, and again to answer
   */
  public ManagerClient(List<String> addresses, Duration patience) {
    this.addresses = List.copyOf(addresses);
    this.patienceMillis = Math.toIntExact(patience.toMillis());
  }

  /**
   * The state of the services as a line of JSON, from the manager that leads, else from any that
   * answers.
   *
   * @throws TerraceException if none answers, or the one that does cannot tell
   */
  public String services() {
    String state = state();
    Optional<String> error = message("error", state);
    if (error.isPresent()) {
      throw new TerraceException(ErrorCode.CHECK_FAILED, error.get());
    }
    return state;
  }

  /**
   * Sends the manager that leads a command, once.
   *
   * @return what it did
   * @throws TerraceException if none leads, or the one that does refuses or does not answer: then
   *     it may have obeyed
   */
  public String command(String line) {
    String leader =
        leader(services())
            .orElseThrow(() ->
                new TerraceException(
                    ErrorCode.CHECK_FAILED,
                    "no manager leads at the moment; give the command again"));
    close();
    String answer =
        ask(leader, line)
            .orElseThrow(() ->
                new TerraceException(
                    ErrorCode.CHECK_FAILED,
                    "the leading manager at "
                        + leader
                        + " did not answer; see terrace services, then give the command again"));
    Optional<String> error = message("error", answer);
    if (error.isPresent()) {
      throw new TerraceException(ErrorCode.BAD_INPUT, error.get());
    }
    return message("done", answer).orElse("");
  }

  /**
   * The line that the manager answers that is asked first, whether or not it leads, to any line.
   *
   * @throws TerraceException if it does not answer
   */
  public String answer(String line) {
    close(); // on a connection that was idle a lost answer would not tell whether it was obeyed
    String address = addresses.getFirst();
    return ask(address, line).orElseThrow(() -> unanswered(List.of(address)));
  }

  /**
   * The state of the services, or the error of a manager that cannot tell it yet, as {@link
   * #services}.
   *
   * @throws TerraceException if none answers
   */
  public String state() {
    String any = "";
    for (String address : addresses) {
      Optional<String> answer = askState(address);
      if (answer.isPresent() && LEADING.matcher(ownPart(answer.get())).find()) {
        return answer.get();
      }
      any = answer.orElse(any);
    }
    if (any.isEmpty()) {
      throw unanswered(addresses);
    }
    String state = any;
    return leader(state).flatMap(this::askState).orElse(state);
  }

  private static TerraceException unanswered(List<String> addresses) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "no replication manager answers at "
            + String.join(", ", addresses)
            + "; give the address that it prints after 'admin' when it is ready");
  }

  private static String ownPart(String state) {
    int services = state.indexOf(SERVICES);
    return services < 0 ? state : state.substring(0, services);
  }

  private static Optional<String> leader(String state) {
    Matcher matcher = LEADER.matcher(ownPart(state));
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** The text of an answer that has one field; empty if the answer is another. */
  private static Optional<String> message(String field, String answer) {
    Matcher matcher = MESSAGE.matcher(answer);
    return matcher.matches() && matcher.group(1).equals(field)
        ? Optional.of(ESCAPE.matcher(matcher.group(2)).replaceAll(ManagerClient::unescaped))
        : Optional.empty();
  }

  private static String unescaped(MatchResult escape) {
    String text =
        escape.group(1) == null
            ? escape.group(2)
            : Character.toString(Integer.parseInt(escape.group(1), 16));
    return Matcher.quoteReplacement(text);
  }

  /** Asks again on a new connection if a manager has closed one that was idle. */
  private Optional<String> askState(String address) {
    boolean again = last != null && last.address().equals(address);
    Optional<String> answer = ask(address, STATE);
    return answer.isEmpty() && again ? ask(address, STATE) : answer;
  }

  private Optional<String> ask(String address, String line) {
    try {
      Connection connection = connect(address);
      connection.socket().getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      String answer = connection.in().readLine();
      if (answer == null) {
        close();
        return Optional.empty();
      }
      if (answer.startsWith("{") && answer.endsWith("}")) {
        return Optional.of(answer);
      }
      close();
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          address + " is not where a replication manager answers people: it says " + shown(answer));
    } catch (IOException e) {
      close();
      return Optional.empty();
    }
  }

  private static String shown(String answer) {
    return "'" + answer.substring(0, Math.min(answer.length(), SHOWN_CHARACTERS)) + "'";
  }

  private Connection connect(String address) throws IOException {
    if (last != null && last.address().equals(address)) {
      return last;
    }
    close();
    Socket socket = new Socket();
    try {
      socket.connect(parse(address), patienceMillis);
      socket.setSoTimeout(patienceMillis);
      var in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      last = new Connection(address, socket, in);
      return last;
    } catch (IOException | TerraceException e) {
      socket.close();
      throw e;
    }
  }

  private static InetSocketAddress parse(String address) {
    int colon = address.lastIndexOf(':');
    try {
      return new InetSocketAddress(
          address.substring(0, Math.max(0, colon)), Integer.parseInt(address.substring(colon + 1)));
    } catch (IllegalArgumentException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "'"
              + address
              + "' is no address of a replication manager: expected host:port, for example"
              + " 127.0.0.1:7601",
          e);
    }
  }

  /** Closes the connection; the next question opens another. */
  @Override
  public void close() {
    Connection closing = last;
    last = null;
    if (closing != null) {
      try {
        closing.socket().close();
      } catch (IOException e) {
        // It is given up either way.
        return;
      }
    }
  }
}
