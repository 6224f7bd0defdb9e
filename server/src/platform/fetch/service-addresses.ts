/** Addresses at which clouds serve the machines inside them. */
export interface ServiceAddresses {
  /** In CIDR notation. */
  readonly range: string;
  readonly what: string;
  /** Where the cloud documents it. */
  readonly source: string;
}

const AWS = 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide';
const GOOGLE = 'https://cloud.google.com/vpc/docs/configure-private-google-access';

/**
 * Service addresses of clouds. Those in the first part look like any public address, so that they are refused by this
 * table only; the others lie in ranges that are refused anyway, and are here so that tests hold them.
 */
export const SERVICE_ADDRESSES: readonly ServiceAddresses[] = [
  {
    range: '168.63.129.16/32',
    what: 'Azure: agent (certificates and secrets of the machine), DNS, health probes',
    source: 'https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16',
  },
  { range: '199.36.153.4/30', what: 'Google Cloud: restricted.googleapis.com inside a VPC', source: GOOGLE },
  { range: '199.36.153.8/30', what: 'Google Cloud: private.googleapis.com inside a VPC', source: GOOGLE },
  { range: '2600:2d00:2:1000::/64', what: 'Google Cloud: restricted.googleapis.com inside a VPC', source: GOOGLE },
  { range: '2600:2d00:2:2000::/64', what: 'Google Cloud: private.googleapis.com inside a VPC', source: GOOGLE },
  {
    range: '161.26.0.0/16',
    what: 'IBM Cloud: DNS, mirrors, time and other services inside a VPC',
    source: 'https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc',
  },
  {
    range: '166.8.0.0/14',
    what: 'IBM Cloud: service endpoints inside the private network',
    source: 'https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc',
  },

  {
    range: '169.254.0.0/16',
    what: 'metadata of AWS, Azure, Google Cloud, Oracle, DigitalOcean, Hetzner, OpenStack and others (169.254.169.254)',
    source: 'https://www.rfc-editor.org/rfc/rfc3927',
  },
  {
    range: 'fd00:ec2::/32',
    what: 'AWS: metadata, time and DNS over IPv6',
    source: `${AWS}/configuring-IMDS-new-instances.html`,
  },
  {
    range: 'fd20:ce::254/128',
    what: 'Google Cloud: metadata over IPv6',
    source: 'https://cloud.google.com/compute/docs/metadata/querying-metadata',
  },
  {
    range: 'fd00:42::42/128',
    what: 'Scaleway: metadata over IPv6',
    source: 'https://www.scaleway.com/en/docs/instances/how-to/use-cloud-init/',
  },
  {
    range: '100.100.0.0/16',
    what: 'Alibaba Cloud: metadata (100.100.100.200), DNS and other services',
    source: 'https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata',
  },
  {
    range: '192.0.0.192/32',
    what: 'Oracle Cloud Classic: metadata',
    source: 'https://docs.oracle.com/en/cloud/iaas/compute-iaas-cloud/stcsg/retrieving-instance-metadata.html',
  },
];
