package org.terrace.invocation.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.ControlSecret;
import org.terrace.core.TerraceException;
import org.terrace.middleware.terrace.TerraceMiddleware;
import org.terrace.middleware.terrace.TransportOptions;

/** Addresses at which a replica may listen, and may not. */
@Tag("real-processes")
@Tag("untimed")
class ListeningAddressTest {
  private static final ControlSecret SECRET =
      ControlSecret.of("a secret of many letters".getBytes(US_ASCII));

  private static ServerOptions at(String host) {
    return ServerOptions.of("replica").withAddress(new InetSocketAddress(host, 0));
  }

  @Test
  void aWildcardIsNoAddressToConnectTo() {
    for (String wildcard : new String[] {"0.0.0.0", "::"}) {
      assertThatThrownBy(() -> ServiceServer.open(at(wildcard)))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("no address that clients can be told to connect to");
    }
  }

  @Test
  void callsAreNotInTheClearWhereTheControlPlaneIsEncrypted() throws Exception {
    assertThatThrownBy(() -> ServiceServer.open(at("192.0.2.1").withControlSecret(SECRET)))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("will not take calls at /192.0.2.1:0 in the clear");
    assertThatCode(() -> ListeningAddress.check(at("127.0.0.1").withControlSecret(SECRET)))
        .doesNotThrowAnyException();
    TransportOptions encrypted = TransportOptions.defaults().withTls(SSLContext.getDefault());
    assertThatCode(() ->
            ListeningAddress.check(
                at("192.0.2.1")
                    .withControlSecret(SECRET)
                    .withMiddleware(new TerraceMiddleware(encrypted))))
        .doesNotThrowAnyException();
  }

  @Test
  void callsInTheClearBeyondLoopbackAreWarnedOf() throws Exception {
    List<String> warnings = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            warnings.add(entry.getLevel() + " " + entry.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(ListeningAddress.class.getName());
    logger.addHandler(handler);
    try {
      TransportOptions encrypted = TransportOptions.defaults().withTls(SSLContext.getDefault());
      ListeningAddress.check(at("127.0.0.1"));
      ListeningAddress.check(at("192.0.2.1").withMiddleware(new TerraceMiddleware(encrypted)));
      assertThat(warnings).isEmpty();

      ListeningAddress.check(at("192.0.2.1"));
      assertThat(warnings)
          .singleElement()
          .asString()
          .startsWith("WARNING Replica replica takes calls at /192.0.2.1:0 in the clear");
    } finally {
      logger.removeHandler(handler);
    }
  }
}
