package org.terrace.cluster.jdbc.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.cluster.server.dialect.ReplicaAddress;

class ClusterUrlTest {
  @Test
  void serversPortsAndOptionsAreRead() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", "ann");
    properties.setProperty("password", "secret");

    ClusterConfiguration read =
        ClusterUrl.parse(
            "jdbc:terrace:postgresql://a,b:6432,[::1]:7/shop?scheduling=serial&driver.ssl=a%26b",
            properties);

    assertThat(read.replicas()).extracting(ReplicaAddress::port).containsExactly(5432, 6432, 7);
    assertThat(read.scheduling()).isEqualTo(Scheduling.SERIAL);
    assertThat(read.minimumReplicas()).isEqualTo(2);
    assertThat(read.replicaUrl(read.replicas().get(2))).isEqualTo("jdbc:postgresql://[::1]:7/shop");
    assertThat(read.driverProperties()).containsEntry("ssl", "a&b");
    assertThat(read.toString()).doesNotContain("secret");
  }

  @Test
  void declaredFunctionsAndTheLogAreRead() throws SQLException {
    ClusterConfiguration read =
        ClusterUrl.parse(
            "jdbc:terrace:mariadb://a/db?functions=Tax,%20net_of&log=/var/lib/log",
            new Properties());

    assertThat(read.functions()).containsExactlyInAnyOrder("tax", "net_of");
    assertThat(read.log()).isEqualTo("/var/lib/log");
    assertThat(read.lease()).hasSeconds(3);
    assertThat(read.scheduling()).isEqualTo(Scheduling.TABLE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          jdbc:terrace:postgresql:a/db;expected jdbc:terrace:postgresql://
          jdbc:terrace:oracle://a/db;'oracle'
          jdbc:terrace:mariadb://a,,b/db;The server ''
          jdbc:terrace:mariadb://a:70000/db;'a:70000'
          jdbc:terrace:mariadb://a,a:3306/db;twice
          jdbc:terrace:mariadb://a/db?password;no value
          jdbc:terrace:mariadb://a/db?x=1;'x'
          jdbc:terrace:mariadb://a/db?poolSize=0;1 to 1000
          jdbc:terrace:mariadb://a/db?poolSize=1&poolSize=2;twice
          jdbc:terrace:mariadb://a/db?weights=1,2;one for each server
          jdbc:terrace:mariadb://a/db?balancing=best;least-pending
          jdbc:terrace:mariadb://a/db?writes=wait-first;needs a recovery log
          jdbc:terrace:mariadb://a/db?scheduling=row;one of serial, table, key
          jdbc:terrace:mariadb://a/db?leaseMillis=20;300 to 3600000
          jdbc:terrace:mariadb://a/db?functions=a,b c;names of functions
          """)
  void whatIsWrongIsNamed(String url, String expected) {
    assertThatThrownBy(() -> ClusterUrl.parse(url, new Properties()))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(expected);
  }
}
