package org.terrace.groups.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.function.BooleanSupplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.groups.Group;
import org.terrace.groups.GroupConformance;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.Secret;

/** Members whose connections are encrypted, with one certificate made by the JDK's own tool. */
@Tag("real-processes")
@Tag("untimed")
class SecureGroupTest extends GroupConformance {
  private static final GroupKeys KEYS =
      GroupKeys.encrypting(new Secret("a key of the test".getBytes(StandardCharsets.UTF_8)));
  private static final String PASSWORD = "of-this-test-only";

  @TempDir static Path folder;
  private static SSLContext tls;

  private final BuiltInGroups groups = new BuiltInGroups();

  @BeforeAll
  static void makeCertificate() throws Exception {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=terrace",
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.txt").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD.toCharArray());
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    tls = SSLContext.getInstance("TLS");
    tls.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
  }

  @Override
  protected Group open(String member) {
    return groups.open(groups.options(member).withTls(tls).withKeys(KEYS));
  }

  @Override
  protected void await(String what, BooleanSupplier condition) {
    BuiltInGroups.await(what, condition);
  }

  @Test
  void tlsWithoutKeysThatEncryptIsRefused() {
    assertThatThrownBy(() -> Groups.open(groups.options("half").withTls(tls)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("datagrams");
  }
}
