package org.terrace.control.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.terrace.control.ControlSecret;

class LinkCipherTest {
  private static final ControlSecret SECRET = ControlSecret.of(bytes("sixteen bytes or more"));

  private LinkCipher client;
  private LinkCipher server;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @BeforeEach
  void agree() throws Exception {
    agree(SECRET, SECRET);
  }

  private void agree(ControlSecret ofClient, ControlSecret ofServer) throws Exception {
    PipedOutputStream onward = new PipedOutputStream();
    PipedOutputStream back = new PipedOutputStream();
    DataInputStream atServer = new DataInputStream(new PipedInputStream(onward));
    DataInputStream atClient = new DataInputStream(new PipedInputStream(back));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<LinkCipher> other =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return LinkCipher.agree(ofServer, false, atServer, back);
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              },
              threads);
      client = LinkCipher.agree(ofClient, true, atClient, onward);
      server = other.get();
    }
  }

  @Test
  void framesArriveAsTheyWereSentAndNobodyReadsThem() throws Exception {
    byte[] sealed = client.seal(bytes("prepare"));

    assertThat(new String(sealed, StandardCharsets.US_ASCII)).doesNotContain("prepare");
    assertThat(sealed).hasSize("prepare".length() + LinkCipher.OVERHEAD_BYTES);
    assertThat(server.open(sealed)).isEqualTo(bytes("prepare"));
    assertThat(client.open(server.seal(bytes("promised")))).isEqualTo(bytes("promised"));
  }

  @Test
  void aFrameThatIsRepeatedIsRefused() throws Exception {
    byte[] sealed = client.seal(bytes("accept"));
    assertThat(server.open(sealed)).isEqualTo(bytes("accept"));

    assertThatThrownBy(() -> server.open(sealed)).isInstanceOf(ProtocolException.class);
  }

  @Test
  void aFrameAfterOneThatWasLeftOutIsRefused() {
    byte[] leftOut = client.seal(bytes("first"));
    byte[] next = client.seal(bytes("second"));

    assertThat(leftOut).isNotEqualTo(next);
    assertThatThrownBy(() -> server.open(next)).isInstanceOf(ProtocolException.class);
  }

  @Test
  void aFrameThatWasChangedAnywhereIsRefused() throws Exception {
    for (int i = 0; i < "learn".length() + LinkCipher.OVERHEAD_BYTES; i++) {
      agree(SECRET, SECRET);
      byte[] sealed = client.seal(bytes("learn"));
      sealed[i] ^= 1;

      assertThatThrownBy(() -> server.open(sealed)).isInstanceOf(ProtocolException.class);
    }
  }

  @Test
  void onesOwnFrameSentBackIsRefused() {
    byte[] sealed = client.seal(bytes("stand"));

    assertThatThrownBy(() -> client.open(sealed)).isInstanceOf(ProtocolException.class);
  }

  @Test
  void aFrameOfAnotherConnectionUnderTheSameSecretIsRefused() throws Exception {
    byte[] sealed = client.seal(bytes("accept"));
    agree(SECRET, SECRET);

    assertThatThrownBy(() -> server.open(sealed)).isInstanceOf(ProtocolException.class);
  }

  /** As processes are given another secret one by one: first to accept, then to use it. */
  @Test
  void whoeverAcceptsTwoSecretsIsReachedWithEach() throws Exception {
    ControlSecret next = ControlSecret.of(bytes("the next secret, long enough"));
    for (ControlSecret ofServer : List.of(SECRET.orAlso(next), next.orAlso(SECRET))) {
      for (ControlSecret ofClient :
          List.of(SECRET, next, SECRET.orAlso(next), next.orAlso(SECRET))) {
        agree(ofClient, ofServer);
        assertThat(server.open(client.seal(bytes("prepare")))).isEqualTo(bytes("prepare"));
      }
    }
    assertThatThrownBy(() -> agree(SECRET.orAlso(next), next))
        .as("who connects shows the first")
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  void endsWithDifferentSecretsDoNotAgree() {
    ControlSecret another = ControlSecret.of(bytes("another secret, long enough"));

    assertThatThrownBy(() -> agree(SECRET, another))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("another secret");
  }
}
