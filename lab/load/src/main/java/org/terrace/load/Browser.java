package org.terrace.load;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.load.page.Connection;
import org.terrace.load.page.Cookies;
import org.terrace.load.page.FormFiller;
import org.terrace.load.page.Link;
import org.terrace.load.page.MalformedResponseException;
import org.terrace.load.page.ReadBuffers;
import org.terrace.load.page.ResponseParser;
import org.terrace.load.page.SourcePorts;

/**
 * The browser of one user: one connection, kept alive across pages, and the cookies of the session.
 * A request is sent once and never repeated, since whether it took effect cannot be known; only a
 * connection that the server closed while the user was thinking is replaced before sending.
 * Confined to the user's thread, except {@link #abort} and {@link #expire}.
 */
final class Browser {
  /** Redirects followed for one page. */
  static final int REDIRECT_LIMIT = 5;

  private static final long NONE = Long.MAX_VALUE;
  private static final int MULTIPLE_CHOICES = 300;
  private static final int OK = 200;
  private static final byte[] NO_BODY = {};

  private final LoadContext context;
  private final @Nullable SourcePorts source;
  private final Cookies cookies = new Cookies();
  private InetSocketAddress target;
  private String host;
  private volatile @Nullable Connection connection;
  private volatile boolean aborted;
  private volatile boolean expired;
  private volatile long deadline = NONE;

  private int bytesSent;
  private int bytesReceived;

  Browser(LoadContext context, @Nullable SourcePorts source, URI target) {
    this.context = context;
    this.source = source;
    this.target = address(target);
    this.host = target.getAuthority();
  }

  private static InetSocketAddress address(URI target) {
    return new InetSocketAddress(target.getHost(), target.getPort());
  }

  /**
   * A user's search for the next link on a page.
   *
   * @param expected the state that the page must be of; null when any answer with a status from 200
   *     to 299 is right
   * @param wanted the state that the user goes to next; null when no link is needed
   * @param random draws the link
   * @param filler fills the form
   */
  record Search(
      @Nullable String expected,
      @Nullable String wanted,
      RandomGenerator random,
      FormFiller filler) {}

  /**
   * The outcome of a visit.
   *
   * @param failure how it failed, or {@code NONE}
   * @param next the way to the wanted state, or null when the page offers none
   * @param connection the number of the last connection, 0 when there was none
   */
  record Visit(
      Failure failure, @Nullable Link next, int connection, int bytesSent, int bytesReceived) {}

  /** Forgets everything of the session, and goes to the given site from now on. */
  void startSession(URI site) {
    disconnect();
    cookies.clear();
    target = address(site);
    host = site.getAuthority();
  }

  /** Ends a visit that is under way, if any, and every later one; for any thread. */
  void abort() {
    aborted = true;
    Connection open = connection;
    if (open != null) {
      open.close();
    }
  }

  /** Ends a wait whose limit lies before the given moment; for any thread. */
  void expire(long nowNanos) {
    if (nowNanos - deadline > 0 && deadline != NONE) {
      expired = true;
      Connection open = connection;
      if (open != null) {
        open.close();
      }
    }
  }

  /** Gets a page, or posts a form, and reads the answer. */
  Visit visit(Link link, Search search) {
    bytesSent = 0;
    bytesReceived = 0;
    expired = false;
    long limit = context.clock().elapsedNanos() + context.plan().limits().response().toNanos();
    Link current = link;
    Visit visit = null;
    for (int hop = 0; visit == null; hop++) {
      if (hop > REDIRECT_LIMIT) {
        visit = failed(Failure.WRONG_STATUS);
      } else {
        Answer answer = exchange(current, search, limit);
        visit = answer.visit;
        current = answer.redirect == null ? current : answer.redirect;
      }
    }
    deadline = NONE;
    return visit;
  }

  /** Either the end of a visit or where it goes on. */
  private record Answer(@Nullable Visit visit, @Nullable Link redirect) {}

  private Answer exchange(Link link, Search search, long limit) {
    try {
      deadline = context.clock().elapsedNanos() + context.plan().limits().connect().toNanos();
      connect();
    } catch (IOException e) {
      return end(expired ? Failure.UNREACHABLE : connectFailure(e));
    }
    deadline = limit;
    boolean answered = false;
    ReadBuffers.Page page = null;
    try {
      Connection open = connected();
      byte[] request = request(link);
      bytesSent += request.length;
      open.send(request);
      ByteBuffer first = ByteBuffer.allocate(1);
      if (open.read(first) > 0) {
        answered = true;
        page = context.buffers().take();
        page.bytes()[0] = first.get(0);
      }
      return page == null ? end(Failure.CLOSED) : receive(open, page, link, search);
    } catch (MalformedResponseException e) {
      return end(Failure.MALFORMED);
    } catch (IOException e) {
      return end(expired ? Failure.TIMEOUT : answered ? Failure.TRUNCATED : Failure.CLOSED);
    } finally {
      if (page != null) {
        context.buffers().giveBack(page);
      }
    }
  }

  /** A failure after which the connection is of no use. */
  private Answer end(Failure failure) {
    Visit visit = failed(aborted ? Failure.UNFINISHED : failure);
    disconnect();
    return new Answer(visit, null);
  }

  private Answer receive(Connection open, ReadBuffers.Page page, Link link, Search search)
      throws IOException {
    ResponseParser parser = page.parser();
    page.scanner().begin(search.wanted, search.random);
    parser.begin(cookies);
    int length = 1;
    while (true) {
      bytesReceived += length;
      int used = parser.feed(page.bytes(), 0, length);
      if (parser.done()) {
        boolean excess = used < length;
        return finish(open, page, link, search, parser.keepAlive() && !excess);
      }
      length = open.read(page.buffer().clear());
      if (length < 0) {
        return parser.connectionEnded()
            ? finish(open, page, link, search, false)
            : end(Failure.TRUNCATED);
      }
    }
  }

  private Answer finish(
      Connection open, ReadBuffers.Page page, Link link, Search search, boolean keepAlive) {
    int number = open.number();
    if (keepAlive) {
      open.markUsed();
    } else {
      disconnect();
    }
    int status = page.parser().status();
    String location = page.parser().location();
    String address =
        location == null || !Link.isRedirect(status) ? null : link.resolved(location, host);
    if (address != null) {
      return new Answer(null, link.redirected(status, address));
    }
    Failure failure;
    Link next = null;
    if (search.expected == null) {
      boolean right = status >= OK && status < MULTIPLE_CHOICES;
      failure = right ? Failure.NONE : Failure.WRONG_STATUS;
    } else if (status != OK) {
      failure = Failure.WRONG_STATUS;
    } else if (!search.expected.equals(page.scanner().pageState())) {
      failure = Failure.WRONG_CONTENT;
    } else {
      failure = Failure.NONE;
      next = page.scanner().link(search.filler);
    }
    return new Answer(new Visit(failure, next, number, bytesSent, bytesReceived), null);
  }

  private Visit failed(Failure failure) {
    Connection open = connection;
    return new Visit(failure, null, open == null ? 0 : open.number(), bytesSent, bytesReceived);
  }

  /** Sees to a connection that is ready for a request. */
  private void connect() throws IOException {
    Connection known = connection;
    if (known != null && known.used() && known.stale()) {
      context.countReconnect();
      disconnect();
      known = null;
    }
    if (known == null) {
      Connection fresh = Connection.create(context.nextConnection());
      connection = fresh; // before it connects, so that others can end the wait
      if (aborted) {
        throw new ClosedChannelException();
      }
      fresh.connect(target, source);
    }
  }

  private Connection connected() throws IOException {
    Connection open = connection;
    if (open == null || aborted) {
      throw new ClosedChannelException();
    }
    return open;
  }

  /** Closes the connection, if there is one. */
  void disconnect() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      open.release();
    }
  }

  private static Failure connectFailure(IOException e) {
    String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (e instanceof BindException
        || message.contains("assign requested address")
        || message.contains("too many open files")) {
      return Failure.LOCAL;
    }
    boolean refused =
        e instanceof ConnectException && (message.contains("refused") || message.contains("reset"));
    return refused ? Failure.REFUSED : Failure.UNREACHABLE;
  }

  private byte[] request(Link link) {
    StringBuilder text = new StringBuilder(256);
    text.append(link.method()).append(' ').append(link.address());
    text.append(" HTTP/1.1\r\nHost: ").append(host);
    text.append("\r\nUser-Agent: terrace-load\r\n").append(link.headers());
    String cookieHeader = cookies.header();
    if (!cookieHeader.isEmpty()) {
      text.append("Cookie: ").append(cookieHeader).append("\r\n");
    }
    String content = link.body();
    byte[] body = content == null ? NO_BODY : content.getBytes(StandardCharsets.UTF_8);
    if (content != null) {
      text.append("Content-Length: ").append(body.length).append("\r\n");
    }
    byte[] head = text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] request = Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, request, head.length, body.length);
    return request;
  }
}
