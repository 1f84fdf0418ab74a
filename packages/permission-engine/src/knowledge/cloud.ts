import type { CommandEntry } from "./CommandEntry.ts";

const cluster = "the cluster";
const account = "the cloud account";
const clusterGlobals =
  "-n= -A -o= -l= -w --namespace= --all-namespaces --output= --selector= --watch --context= --cluster= --field-selector= --sort-by= --no-headers --show-labels --show-events " +
  "--tail= --since= --follow -f= --previous -p -c= --container= --all-containers --timestamps --recursive --api-group= --api-version= --raw=";

/** Clusters and clouds. Reading asks them over the network. */
export const cloud: ReadonlyArray<CommandEntry> = [
  {
    command: "kubectl | oc | k9s | kustomize | minikube | kind | k3d | eksctl | argocd | flux | istioctl",
    risk: "remote-write",
    operands: "unknown*",
    flags: "-n= --namespace= --context= --cluster= -v=",
    options: { "--token= --user= --as=": "unknown", "--kubeconfig= -s= --server=": "redefines" },
    examples: { "kubectl frobnicate": "ask remote-write" },
  },
  {
    command:
      "kubectl get | kubectl describe | kubectl logs | kubectl top | kubectl explain | kubectl version | kubectl cluster-info | kubectl api-resources | kubectl api-versions | kubectl config view | " +
      "kubectl config get-contexts | kubectl config current-context | kubectl auth can-i | kubectl rollout status | kubectl rollout history | kubectl diff | kubectl events | oc get | oc describe | oc logs",
    risk: "read",
    operands: "text*",
    flags: clusterGlobals,
    options: { "--token= -F= --filename=": "unknown", "--kubeconfig= -s= --server=": "redefines" },
    also: { connects: cluster },
    examples: { "kubectl get pods -n prod -o wide": "ask read connect:the cluster" },
  },
  {
    command:
      "kubectl apply | kubectl create | kubectl patch | kubectl edit | kubectl scale | kubectl label | kubectl annotate | kubectl set | kubectl expose | kubectl autoscale | kubectl rollout restart | kubectl rollout undo | kubectl cp | " +
      "kubectl config use-context | kubectl config set-context | kubectl cordon | kubectl uncordon | kubectl taint | kubectl wait | kubectl port-forward | kubectl proxy",
    risk: "remote-write",
    operands: "text*",
    flags: "*",
    options: { "-f= --filename= -k= --kustomize=": "reads" },
    also: { connects: cluster },
    examples: { "kubectl apply -f a.yaml": "ask remote-write read:a.yaml connect:the cluster" },
  },
  {
    command:
      "kubectl delete | kubectl replace | kubectl drain | kubectl config delete-context | helm uninstall | helm delete | helm rollback | oc delete",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    also: { connects: cluster },
    examples: {
      "kubectl delete ns prod": "ask irreversible connect:the cluster",
      "kubectl -n a delete pod x": "ask irreversible",
    },
  },
  {
    command: "kubectl exec | kubectl run | kubectl debug | kubectl attach | oc exec | oc rsh",
    risk: "remote-write",
    operands: "text runs*",
    flags: "*",
    also: { connects: cluster },
    isRunner: true,
    examples: { "kubectl exec web -- ls": "ask remote-write read:elsewhere:. execute:ls connect:the cluster" },
  },
  {
    command:
      "helm | helm install | helm upgrade | helm repo | helm push | helm plugin | helm dependency | helm package",
    risk: "remote-write",
    operands: "text*",
    flags: "*",
    options: { "-f= --values=": "reads", "--post-renderer=": "runs" },
    also: { connects: cluster },
    examples: { "helm upgrade a ./chart -f v.yaml": "ask remote-write read:v.yaml connect:the cluster" },
  },
  {
    command:
      "helm list | helm ls | helm status | helm get | helm history | helm show | helm search | helm version | helm env | helm lint | helm template",
    risk: "read",
    operands: "text*",
    flags: "-n= -A -a -o= -l= -q --namespace= --all-namespaces --output= --all --filter= --set= --version=",
    options: { "-f= --values=": "reads", "--post-renderer=": "runs", "--output-dir=": "writes" },
    also: { connects: cluster },
    examples: { "helm list -A": "ask read connect:the cluster" },
  },
  {
    command:
      "terraform | tofu | terragrunt | pulumi | ansible | ansible-playbook | vagrant | packer | cdk | sls | sam | serverless",
    risk: "irreversible",
    operands: "runs*",
    flags: "*",
    also: { connects: account },
    isRunner: true,
    examples: { "terraform apply -auto-approve": "ask irreversible", "ansible-playbook a.yml": "ask irreversible" },
  },
  {
    command:
      "terraform version | terraform validate | terraform show | terraform output | terraform providers | terraform graph | terraform state list | terraform state show | tofu version | tofu validate | tofu show",
    risk: "read",
    operands: "text*",
    flags: "-json -no-color -raw -id= -state=",
    options: { "-chdir=": "unknown" },
    hasSingleDashNames: true,
    examples: { "terraform validate -json": "ask read", "terraform -chdir=x validate": "ask" },
  },
  {
    command:
      "terraform plan | terraform init | terraform refresh | terraform fmt | terraform get | terraform workspace | tofu plan | tofu init | tofu fmt",
    risk: "remote-write",
    operands: "text*",
    flags: "*",
    options: { "-out=": "writes", "-var-file= -backend-config=": "reads" },
    hasSingleDashNames: true,
    also: { runs: "the project's providers", connects: account, writes: "." },
    examples: {
      "terraform plan -out=p":
        "ask remote-write write:p execute:the project's providers connect:the cloud account write:.",
    },
  },
  {
    command:
      "terraform destroy | terraform apply | terraform state rm | terraform state mv | terraform taint | terraform import | terraform force-unlock | tofu destroy | tofu apply",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    also: { connects: account },
    examples: { "terraform destroy": "ask irreversible connect:the cloud account" },
  },
  {
    command:
      "aws | gcloud | az | gsutil | bq | doctl | heroku | flyctl | fly | vercel | netlify | wrangler | firebase | supabase | railway | rclone | mc | s3cmd",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    also: { connects: account },
    examples: {
      "aws s3 rm s3://x --recursive": "ask irreversible connect:the cloud account",
      "gcloud projects delete x": "ask irreversible",
    },
  },
  {
    command:
      "heroku run | fly ssh console | flyctl ssh console | gcloud compute ssh | az vm run-command invoke | aws ssm start-session | railway run | netlify dev:exec",
    risk: "irreversible",
    operands: "passed*",
    flags: "*",
    options: { "-C= --command= --scripts=": "code" },
    also: { connects: account },
    isRunner: true,
    examples: { "heroku run ls": "ask irreversible" },
  },
  {
    command:
      "aws s3 ls | aws sts get-caller-identity | aws configure list | aws ec2 describe-instances | aws logs tail | aws iam list-users | aws lambda list-functions | aws ecs list-clusters | aws cloudformation describe-stacks | " +
      "gcloud config list | gcloud auth list | gcloud projects list | gcloud compute instances list | gcloud info | gcloud version | az account show | az group list | gsutil ls | heroku apps | heroku logs | fly status | fly logs | " +
      "vercel ls | vercel logs | rclone ls | rclone lsf | rclone listremotes",
    risk: "read",
    operands: "text*",
    flags:
      "--profile= --region= --output= --query= --project= --format= --filter= --limit= --recursive --human-readable --summarize --no-cli-pager --follow --since= -l -o= -a= --app= --page-size= --max-items=",
    options: { "--cli-input-json=": "unknown", "--endpoint-url= --ca-bundle= --configuration=": "redefines" },
    also: { connects: account },
    examples: {
      "aws s3 ls": "ask read connect:the cloud account",
      "aws s3 ls --endpoint-url=http://x.test": "ask remote-write",
    },
  },
  {
    command: "aws s3 cp | aws s3 sync | aws s3 mv | gsutil cp | gsutil rsync | rclone copy",
    risk: "remote-write",
    operands: "remote-reads* remote-writes",
    flags:
      "--recursive -r -m --exclude= --include= --acl= --profile= --region= --quiet --dryrun --no-progress --content-type= -n -v --progress",
    options: { "--delete -d": "irreversible", "--endpoint-url= --metadata=": "unknown" },
    also: { connects: account },
    examples: { "aws s3 cp a.txt s3://b/": "ask remote-write read:a.txt write:s3://b/ connect:the cloud account" },
  },
];
